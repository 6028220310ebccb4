import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lchown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, PlatformError } from '../errors.ts';
import type { Binaries } from './binaries.ts';
import { exists, writeFileWhole } from './data-dir.ts';
import { describeFullDisk } from './file-problem.ts';
import type { Placement } from './placement.ts';
import { accessRules, mainConfiguration, serverSettings } from './server-settings.ts';
import { type ServerUser, spawnIdentity } from './server-user.ts';

export const superuser = 'forager';

/** What a PostgreSQL program is run with: nothing of ours leaks in, messages come in English for us to read. */
export const serverEnvironment = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC' };

/** The password lives in the data directory, also when the cluster lies elsewhere. */
export async function providePassword(dataDir: string, clusterDir: string): Promise<string> {
  const file = path.join(dataDir, 'postgres', 'password');
  try {
    const known = (await readFile(file, 'utf8')).trim();
    if (known !== '') return known;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  if (await exists(path.join(clusterDir, 'PG_VERSION'))) {
    throw new PlatformError('password-missing', `The password of the embedded database, ${file}, is gone.`, {
      hint: 'restore that file from a backup; the database itself is untouched',
    });
  }
  const password = randomBytes(24).toString('base64url');
  await writeFileWhole(file, `${password}\n`, 0o600);
  return password;
}

/** Creates the cluster unless it is there, and gives it the settings of this version. Under the server lock. */
export async function prepareCluster(
  placement: Placement,
  binaries: Binaries,
  password: string,
): Promise<void> {
  if (!(await exists(path.join(placement.clusterDir, 'PG_VERSION')))) {
    await createCluster(placement, binaries, password);
  }
  await writeServerFile(placement, 'forager.conf', serverSettings);
}

async function createCluster(placement: Placement, binaries: Binaries, password: string): Promise<void> {
  await removeDrafts(placement.home);
  // Built beside and renamed: an interrupted first start leaves no half a cluster.
  const draft = path.join(placement.home, `cluster-draft-${process.pid}`);
  const passwordFile = path.join(placement.home, `password-draft-${process.pid}`);
  try {
    await mkdir(draft, { mode: 0o700 });
    await giveTo(placement.user, draft);
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' });
    await giveTo(placement.user, passwordFile);
    await runInitdb(binaries, placement.user, draft, passwordFile);
    await configureCluster({ ...placement, clusterDir: draft });
    await rename(draft, placement.clusterDir);
  } finally {
    await removeDrafts(placement.home);
  }
}

async function configureCluster(placement: Placement): Promise<void> {
  await writeServerFile(placement, 'forager.conf', serverSettings);
  await writeServerFile(placement, 'postgresql.conf', mainConfiguration);
  await writeServerFile(placement, 'local.conf', '# Settings of your own; they win over those of Forager.\n');
  await writeServerFile(placement, 'pg_hba.conf', accessRules);
}

async function removeDrafts(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (/^(cluster|password|runtime)-draft-/.test(name)) {
      await rm(path.join(home, name), { recursive: true, force: true });
    }
  }
}

async function runInitdb(
  binaries: Binaries,
  user: ServerUser,
  directory: string,
  passwordFile: string,
): Promise<void> {
  const args = [
    `--pgdata=${directory}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The same order of text on every machine, whatever its C library: indexes survive a move.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ];
  const result = await run(binaries.initdb, args, user);
  if (result.code === 0) return;
  if (/No space left on device|Disk quota exceeded/i.test(result.output)) throw describeFullDisk(directory);
  throw new PlatformError(
    'initdb-failed',
    `The database could not be created in ${directory}: ${lastLine(result.output)}`,
    {
      hint: 'see whether that directory can be written to and the disk has space; or set DATABASE_URL to a server of yours',
      cause: new Error(result.output),
    },
  );
}

/** A cluster that these programs cannot run is left as it is, for a person to look at. */
export async function refuseForeignCluster(
  clusterDir: string,
  programs: { readonly version: string },
): Promise<void> {
  const found: string[] = await readdir(clusterDir).catch(() => []);
  if (found.length === 0) return;
  if (!found.includes('PG_VERSION')) {
    throw new PlatformError(
      'cluster-damaged',
      `The directory ${clusterDir} holds files but no complete database.`,
      {
        hint: 'restore it from a backup, or move it away to start with an empty database',
      },
    );
  }
  const major = Number.parseInt(programs.version, 10);
  const made = Number.parseInt(await readFile(path.join(clusterDir, 'PG_VERSION'), 'utf8'), 10);
  if (made === major) return;
  const [code, hint] =
    made > major
      ? [
          'cluster-newer',
          'update Forager, or choose another data directory with FORAGER_DATA_DIR or --data-dir',
        ]
      : [
          'cluster-older',
          'export the data with the Forager that made it, then import it into a new data directory',
        ];
  throw new PlatformError(
    code,
    `The database in ${clusterDir} was made by PostgreSQL ${made}; this Forager brings PostgreSQL ${major}.`,
    { hint },
  );
}

async function writeServerFile(placement: Placement, name: string, text: string): Promise<void> {
  const file = path.join(placement.clusterDir, name);
  await writeFileWhole(file, text, 0o600);
  await giveTo(placement.user, file);
}

async function giveTo(user: ServerUser, file: string): Promise<void> {
  if (user.kind === 'other') await lchown(file, user.uid, user.gid);
}

function run(
  program: string,
  args: string[],
  user: ServerUser,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-16_000);
    };
    const child = spawn(program, args, {
      ...spawnIdentity(user),
      cwd: '/',
      env: serverEnvironment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) =>
      resolve({ code: -1, output: `${output}\n${describeSpawn(error, program)}` }),
    );
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** A program that is there and yet "not found" lacks the C library it was built for. */
export function describeSpawn(error: unknown, program: string): string {
  switch (errorCode(error)) {
    case 'ENOENT':
      return `${program} cannot run on this system (it needs glibc; Alpine and other musl systems lack it)`;
    case 'EACCES':
      return `${program} may not be run from where it lies (a file system mounted "noexec"?)`;
    case 'EPERM':
    case 'EINVAL':
      return `this system does not let root start programs as another user (a container with a single user?)`;
    default:
      return String(error);
  }
}

function lastLine(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  return (
    lines.findLast((line) => /error|fatal|cannot|not let/i.test(line)) ??
    lines.findLast(Boolean) ??
    'no reason given'
  );
}
