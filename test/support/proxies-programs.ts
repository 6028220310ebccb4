/**
 * The programs squid, tinyproxy and microsocks: the machine's own, or Debian's packages. Where neither works the tests
 * fail and say so: what was never asked of a real proxy is no promise.
 */
import { access } from 'node:fs/promises';
import path from 'node:path';
import {
  installDebianPackage,
  isOurDirectory,
  listLibraryDirectories,
  unpackDebianPackages,
  unpackedDirectory,
} from './debian-packages.ts';

export interface ProxyProgram {
  /** `/`, or where the package was unpacked. */
  readonly root: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Wanted {
  readonly packages: readonly string[];
  /** All that must be there, the program first; libraries by their name alone. */
  readonly files: readonly [string, ...string[]];
}

const WANTED = {
  squid: {
    packages: ['squid', 'squid-common', 'squid-langpack'],
    files: ['usr/sbin/squid', 'usr/lib/squid/basic_ncsa_auth', 'usr/share/squid/errors/templates'],
  },
  // It resolves names as the C library does, which the wrapper lends a hosts file of the test's.
  tinyproxy: {
    packages: ['tinyproxy-bin', 'libnss-wrapper'],
    files: ['usr/bin/tinyproxy', 'libnss_wrapper.so'],
  },
  microsocks: { packages: ['microsocks'], files: ['usr/bin/microsocks'] },
} as const satisfies Record<string, Wanted>;

type Name = keyof typeof WANTED;

const provided = new Map<Name, Promise<ProxyProgram>>();

export function provideProxyProgram(name: Name): Promise<ProxyProgram> {
  const program = provided.get(name) ?? provide(name);
  provided.set(name, program);
  return program;
}

/** Of a program, the path of a library that came with it. */
export async function findLibrary(program: ProxyProgram, name: string): Promise<string> {
  const found = await findFile(program.root, name);
  if (found === undefined) throw new Error(`${name} is not there.`);
  return found;
}

async function provide(name: Name): Promise<ProxyProgram> {
  const ready = (await findIn('/', name)) ?? (await findUnpacked(name));
  if (ready !== undefined) return ready;
  const problems: string[] = [];
  for (const obtain of process.getuid?.() === 0 ? [install, unpack] : [unpack]) {
    try {
      await obtain(name);
      const program = (await findIn('/', name)) ?? (await findUnpacked(name));
      if (program !== undefined) return program;
      problems.push(`${obtain.name}: ${name} is still not there`);
    } catch (error) {
      problems.push(`${obtain.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const packages = WANTED[name].packages.join(' ');
  throw new Error(
    `These tests need ${name}, and it could not be provided. Install it (Debian: apt-get install ${packages}).\n${problems.join('\n')}`,
  );
}

async function install(name: Name): Promise<void> {
  for (const each of WANTED[name].packages) await installDebianPackage(each);
}

export function unpack(name: Name): Promise<void> {
  return unpackDebianPackages({ target: unpackedDirectory(name), packages: WANTED[name].packages });
}

async function findUnpacked(name: Name): Promise<ProxyProgram | undefined> {
  const root = unpackedDirectory(name);
  if (!(await isOurDirectory(root))) return undefined;
  const libraries = await listLibraryDirectories(root);
  return findIn(root, name, { LD_LIBRARY_PATH: libraries.join(':') });
}

async function findIn(
  root: string,
  name: Name,
  env: Record<string, string> = {},
): Promise<ProxyProgram | undefined> {
  const { files } = WANTED[name];
  const found = await Promise.all(files.map((file) => findFile(root, file)));
  return found.includes(undefined) ? undefined : { root, file: path.join(root, files[0]), env };
}

async function findFile(root: string, file: string): Promise<string | undefined> {
  const places = file.includes('/') ? [root] : await listLibraryDirectories(root);
  for (const place of places) {
    const whole = path.join(place, file);
    const isThere = await access(whole).then(
      () => true,
      () => false,
    );
    if (isThere) return whole;
  }
  return undefined;
}
