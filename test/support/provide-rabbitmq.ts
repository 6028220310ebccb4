/**
 * The program rabbitmq-server, with the Erlang it runs on: the machine's own, or Debian's packages. Where neither
 * works the tests fail and say so.
 */
import { execFile } from 'node:child_process';
import { access, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  installDebianPackage,
  isOurDirectory,
  listLibraryDirectories,
  unpackDebianPackages,
  unpackedDirectory,
} from './debian-packages.ts';

const run = promisify(execFile);

export interface RabbitProgram {
  readonly server: string;
  readonly epmd: string;
  /** With the PATH that leads to its Erlang. */
  readonly env: Readonly<Record<string, string>>;
}

const SERVER = 'usr/lib/rabbitmq/bin/rabbitmq-server';
const ERLANG = 'usr/lib/erlang';

export async function provideRabbitServer(): Promise<RabbitProgram> {
  const ready = (await findIn('/')) ?? (await findUnpacked());
  if (ready !== undefined) return ready;
  const problems: string[] = [];
  for (const provide of process.getuid?.() === 0 ? [installPackage, unpackPackages] : [unpackPackages]) {
    try {
      await provide();
      const program = (await findIn('/')) ?? (await findUnpacked());
      if (program !== undefined) return program;
      problems.push(`${provide.name}: rabbitmq-server is still not there or does not run`);
    } catch (error) {
      problems.push(`${provide.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(
    `These tests need rabbitmq-server, and it could not be provided. Install it (Debian: apt-get install rabbitmq-server), or name one in AMQP_URL.\n${problems.join('\n')}`,
  );
}

async function findUnpacked(): Promise<RabbitProgram | undefined> {
  const root = unpackedDirectory('rabbitmq');
  if (!(await isOurDirectory(root))) return undefined;
  const libraries = await listLibraryDirectories(root);
  return findIn(root, { LD_LIBRARY_PATH: libraries.join(':') });
}

async function findIn(root: string, more: Record<string, string> = {}): Promise<RabbitProgram | undefined> {
  const bin = path.join(root, ERLANG, 'bin');
  const env = { ...more, PATH: `${bin}:${process.env.PATH ?? ''}` };
  const server = path.join(root, SERVER);
  try {
    await access(server);
    // It can do nothing without its cryptography, whose library may be the wrong one.
    const check = ['-noshell', '-eval', 'ok = crypto:start(), halt(0).'];
    await run(path.join(bin, 'erl'), check, { env: { ...process.env, ...env }, timeout: 30_000 });
    return { server, env, epmd: path.join(bin, 'epmd') };
  } catch {
    return undefined;
  }
}

function installPackage(): Promise<void> {
  return installDebianPackage('rabbitmq-server');
}

export function unpackPackages(): Promise<void> {
  const target = unpackedDirectory('rabbitmq');
  return unpackDebianPackages({
    ...{ target, packages: ['rabbitmq-server'], alsoNeeded: /^erlang-/ },
    adapt: (root) => moveErlang(root, path.join(target, ERLANG)),
  });
}

/** Its start script has the place it was built for written in it. */
async function moveErlang(root: string, place: string): Promise<void> {
  const script = path.join(root, ERLANG, 'bin', 'erl');
  const text = await readFile(script, 'utf8');
  await writeFile(script, text.replaceAll(`ROOTDIR=/${ERLANG}`, `ROOTDIR=${place}`));
}
