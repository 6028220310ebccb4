/**
 * The program redis-server: the machine's own, or Debian's package. Root installs it; anybody else unpacks it,
 * with the libraries it needs, into a directory of their own, for which no rights are needed. Where neither
 * works the tests fail and say so: a promise about Redis that no Redis was asked about is none.
 */
import { execFile } from 'node:child_process';
import { access, chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface RedisProgram {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

export async function provideRedisServer(): Promise<RedisProgram> {
  const ready = (await findInstalled()) ?? (await findUnpacked());
  if (ready !== undefined) return ready;
  const problems: string[] = [];
  for (const provide of process.getuid?.() === 0 ? [installPackage, unpackPackage] : [unpackPackage]) {
    try {
      await provide();
      const program = (await findInstalled()) ?? (await findUnpacked());
      if (program !== undefined) return program;
      problems.push(`${provide.name}: redis-server is still not there or does not run`);
    } catch (error) {
      problems.push(`${provide.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(
    `These tests need redis-server, and it could not be provided. Install it (Debian: apt-get install redis-server).\n${problems.join('\n')}`,
  );
}

async function findInstalled(): Promise<RedisProgram | undefined> {
  return findRunnable('redis-server', {});
}

async function findRunnable(file: string, env: Record<string, string>): Promise<RedisProgram | undefined> {
  try {
    await run(file, ['--version'], { env: { ...process.env, ...env } });
    return { file, env };
  } catch {
    return undefined;
  }
}

const NO_SERVICES = '/usr/sbin/policy-rc.d';

/** Without its service: the package would start one on the port that a Redis of the machine's owner has. */
export async function installPackage(): Promise<void> {
  const isPolicyOurs = await access(NO_SERVICES).then(
    () => false,
    () => true,
  );
  if (isPolicyOurs) {
    await writeFile(NO_SERVICES, '#!/bin/sh\nexit 101\n');
    await chmod(NO_SERVICES, 0o755);
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', ['update'], { env });
    await run(
      'apt-get',
      ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', 'redis-server'],
      { env },
    );
  } finally {
    if (isPolicyOurs) await rm(NO_SERVICES, { force: true });
  }
}

function cacheDirectory(): string {
  return path.join(os.tmpdir(), `forager-test-redis-${process.getuid?.() ?? 0}`);
}

async function findUnpacked(): Promise<RedisProgram | undefined> {
  const root = cacheDirectory();
  // The directory of temporary files is everybody's: only what we put there ourselves is run.
  const owner = await stat(root).then(
    ({ uid }) => uid,
    () => undefined,
  );
  if (owner !== process.getuid?.()) return undefined;
  const libraries = await listLibraryDirectories(root);
  return findRunnable(path.join(root, 'usr', 'bin', 'redis-server'), {
    LD_LIBRARY_PATH: libraries.join(':'),
  });
}

/** `usr/lib/x86_64-linux-gnu` and its like. */
async function listLibraryDirectories(root: string): Promise<string[]> {
  const parents = [path.join(root, 'usr', 'lib'), path.join(root, 'lib')];
  const found = await Promise.all(
    parents.map(async (parent) => {
      const names = await readdir(parent).catch(() => []);
      return names.filter((name) => name.includes('-linux-')).map((name) => path.join(parent, name));
    }),
  );
  return found.flat();
}

/** With package lists of its own, so that it neither needs those of the machine nor touches them. */
export async function unpackPackage(): Promise<void> {
  const work = await mkdtemp(path.join(os.tmpdir(), 'forager-redis-packages-'));
  try {
    const root = path.join(work, 'root');
    for (const name of ['lists/partial', 'cache/archives/partial', 'packages', 'root']) {
      await mkdir(path.join(work, name), { recursive: true });
    }
    const places = [
      ...['-o', `Dir::State::Lists=${path.join(work, 'lists')}`],
      ...['-o', `Dir::Cache=${path.join(work, 'cache')}`],
    ];
    // A library that is there already is unpacked beside it: the program was built for this very one.
    await run('apt-get', [...places, 'update']);
    const packages = ['redis-server', 'redis-tools', ...(await listLibraries(places))];
    await run('apt-get', [...places, 'download', ...packages], { cwd: path.join(work, 'packages') });
    for (const file of await readdir(path.join(work, 'packages'))) {
      await run('dpkg', ['-x', path.join(work, 'packages', file), root]);
    }
    // Somebody else may have been quicker: theirs is as good.
    await rename(root, cacheDirectory()).catch(() => undefined);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** What the program is linked to, except the C library: that one must fit the machine's loader. */
async function listLibraries(places: readonly string[]): Promise<string[]> {
  const { stdout } = await run('apt-cache', [...places, 'depends', 'redis-server', 'redis-tools']);
  const names = [...stdout.matchAll(/^ \|?\s?Depends: (lib[\w.+-]+)$/gm)].map((match) => match[1] ?? '');
  return [...new Set(names)].filter((name) => name !== 'libc6' && name !== 'libelogind0');
}
