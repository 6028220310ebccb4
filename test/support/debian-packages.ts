/**
 * Programs of Debian's for tests: root installs a package; anybody else unpacks it, with the libraries it needs, into
 * a directory of their own, for which no rights are needed.
 */
import { execFile } from 'node:child_process';
import { access, chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const NO_SERVICES = '/usr/sbin/policy-rc.d';

/** Without its service: the package would start one on the port that a server of the machine's owner has. */
export function installDebianPackage(name: string): Promise<void> {
  return oneAtATime(async () => {
    const isPolicyOurs = await access(NO_SERVICES).then(
      () => false,
      () => true,
    );
    if (isPolicyOurs) {
      await writeFile(NO_SERVICES, '#!/bin/sh\nexit 101\n');
      await chmod(NO_SERVICES, 0o755);
    }
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const install = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', name];
    try {
      await run('apt-get', ['update'], { env });
      await run('apt-get', install, { env });
    } finally {
      if (isPolicyOurs) await rm(NO_SERVICES, { force: true });
    }
  });
}

const LOCK = path.join(os.tmpdir(), 'forager-test-packages.lock');
const LOCK_IS_STALE_MS = 600_000;

/** Two test files that install at the same time would take each other's ban on services away. */
async function oneAtATime(work: () => Promise<void>): Promise<void> {
  for (;;) {
    const isMine = await mkdir(LOCK).then(
      () => true,
      () => false,
    );
    if (isMine) break;
    const { mtimeMs } = await stat(LOCK).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > LOCK_IS_STALE_MS) await rm(LOCK, { recursive: true, force: true });
    await pause(500);
  }
  try {
    await work();
  } finally {
    await rm(LOCK, { recursive: true, force: true });
  }
}

/** Where packages are unpacked; of each user one. */
export function unpackedDirectory(name: string): string {
  return path.join(os.tmpdir(), `forager-test-${name}-${process.getuid?.() ?? 0}`);
}

/** The directory of temporary files is everybody's: only what we put there ourselves is run. */
export async function isOurDirectory(directory: string): Promise<boolean> {
  const owner = await stat(directory).then(
    ({ uid }) => uid,
    () => undefined,
  );
  return owner !== undefined && owner === process.getuid?.();
}

export interface Unpacking {
  /** The directory it ends up in. */
  readonly target: string;
  readonly packages: readonly string[];
  /** Packages that these depend on, at whatever distance, and that are needed as well. */
  readonly alsoNeeded?: RegExp;
  /** Puts right what is in there, before anybody sees it. */
  readonly adapt?: (root: string) => Promise<void>;
}

/** With package lists of its own, so that it neither needs those of the machine nor touches them. */
export async function unpackDebianPackages({
  target,
  packages,
  alsoNeeded,
  adapt,
}: Unpacking): Promise<void> {
  const work = await mkdtemp(`${target}-packages-`);
  try {
    const root = path.join(work, 'root');
    for (const name of ['lists/partial', 'cache/archives/partial', 'packages', 'root']) {
      await mkdir(path.join(work, name), { recursive: true });
    }
    const places = [
      ...['-o', `Dir::State::Lists=${path.join(work, 'lists')}`],
      ...['-o', `Dir::Cache=${path.join(work, 'cache')}`],
    ];
    await run('apt-get', [...places, 'update']);
    const wanted = [...packages];
    if (alsoNeeded !== undefined) wanted.push(...(await listNeeded(places, packages, alsoNeeded)));
    // A library that is there already is unpacked beside it: the program was built for this very one.
    const all = [...new Set([...wanted, ...(await listLibraries(places, wanted))])];
    await run('apt-get', [...places, 'download', ...all], { cwd: path.join(work, 'packages') });
    for (const file of await readdir(path.join(work, 'packages'))) {
      await run('dpkg', ['-x', path.join(work, 'packages', file), root]);
    }
    await adapt?.(root);
    // Somebody else may have been quicker: theirs is as good.
    await rename(root, target).catch(() => undefined);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function listNeeded(
  places: readonly string[],
  packages: readonly string[],
  pattern: RegExp,
): Promise<string[]> {
  const only = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'];
  const { stdout } = await run(
    'apt-cache',
    [...places, 'depends', '--recurse', ...only.map((each) => `--no-${each}`), ...packages],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout.split('\n').filter((line) => /^[\w.+-]+$/.test(line) && pattern.test(line));
}

/** What the programs are linked to, except the C library: that one must fit the machine's loader. */
async function listLibraries(places: readonly string[], packages: readonly string[]): Promise<string[]> {
  const { stdout } = await run('apt-cache', [...places, 'depends', ...packages]);
  const names = [...stdout.matchAll(/^ \|?\s?Depends: (lib[\w.+-]+)$/gm)].map((match) => match[1] ?? '');
  return names.filter((name) => name !== 'libc6' && name !== 'libelogind0');
}

/** `usr/lib/x86_64-linux-gnu` and its like. */
export async function listLibraryDirectories(root: string): Promise<string[]> {
  const parents = [path.join(root, 'usr', 'lib'), path.join(root, 'lib')];
  const found = await Promise.all(
    parents.map(async (parent) => {
      const names = await readdir(parent).catch(() => []);
      return names.filter((name) => name.includes('-linux-')).map((name) => path.join(parent, name));
    }),
  );
  return found.flat();
}
