/**
 * The program redis-server: the machine's own, or Debian's package. Where neither works the tests fail and say so: a
 * promise about Redis that no Redis was asked about is none.
 */
import { execFile } from 'node:child_process';
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

export function installPackage(): Promise<void> {
  return installDebianPackage('redis-server');
}

export function unpackPackage(): Promise<void> {
  const packages = ['redis-server', 'redis-tools'];
  return unpackDebianPackages({ target: unpackedDirectory('redis'), packages });
}

async function findUnpacked(): Promise<RedisProgram | undefined> {
  const root = unpackedDirectory('redis');
  if (!(await isOurDirectory(root))) return undefined;
  const libraries = await listLibraryDirectories(root);
  return findRunnable(path.join(root, 'usr', 'bin', 'redis-server'), {
    LD_LIBRARY_PATH: libraries.join(':'),
  });
}
