import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { PlatformError } from '../errors.ts';

/** As whom the server runs. PostgreSQL refuses root, so root needs someone else for it. */
export type ServerUser =
  | { readonly kind: 'self'; readonly uid: number; readonly gid: number }
  | { readonly kind: 'other'; readonly uid: number; readonly gid: number };

/**
 * An ordinary user runs the server as itself. Root runs it as whoever owns the files already (a cluster, or a
 * data directory that belongs to somebody), else as `postgres`, creating that user if need be, else as `nobody`.
 */
export function chooseServerUser(dataDir: string, clusterDir: string | undefined): ServerUser {
  const uid = process.getuid?.() ?? -1;
  const gid = process.getgid?.() ?? -1;
  if (uid !== 0) return { kind: 'self', uid, gid };
  const owner = (clusterDir && findOrdinaryOwner(clusterDir)) || findOrdinaryOwner(dataDir);
  const user = owner || findUser('postgres') || createUser('postgres') || findUser('nobody');
  if (user) return { kind: 'other', ...user };
  throw new PlatformError(
    'no-server-user',
    'PostgreSQL refuses to run as root, and this system has no user "postgres" or "nobody" to run it as.',
    {
      hint: 'run Forager as an ordinary user, create a user "postgres", or set DATABASE_URL to a server of yours',
    },
  );
}

/** What `spawn` needs to start something as that user. */
export function spawnIdentity(user: ServerUser): { uid?: number; gid?: number } {
  return user.kind === 'self' ? {} : { uid: user.uid, gid: user.gid };
}

interface Ids {
  readonly uid: number;
  readonly gid: number;
}

/** Whether that user may pass through a directory, judged by the mode bits. */
function mayEnter(directory: string, user: Ids): boolean {
  const { mode, uid, gid } = statSync(directory);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

/** The first directory on the way down to `directory` that the user may not pass, or undefined if it may all. */
export function findClosedDoor(directory: string, user: Ids): string | undefined {
  const steps: string[] = [];
  for (let step = directory; ; step = path.dirname(step)) {
    steps.unshift(step);
    if (step === path.dirname(step)) break;
  }
  return steps.find((step) => !mayEnter(step, user));
}

function findOrdinaryOwner(directory: string): Ids | undefined {
  try {
    const { uid, gid } = statSync(directory);
    return uid === 0 ? undefined : { uid, gid };
  } catch {
    return undefined;
  }
}

function findUser(name: string): Ids | undefined {
  const ask = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
  try {
    const ids = { uid: ask('-u'), gid: ask('-g') };
    return Number.isInteger(ids.uid) && ids.uid > 0 && Number.isInteger(ids.gid) ? ids : undefined;
  } catch {
    return undefined;
  }
}

/** The ways of the common systems: shadow-utils (most), BusyBox (Alpine). A system user without a login. */
function createUser(name: string): Ids | undefined {
  const ways: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name]],
    ['adduser', ['-S', '-D', '-H', '-s', '/sbin/nologin', name]],
  ];
  for (const [command, args] of ways) {
    try {
      execFileSync(command, args, { stdio: 'pipe' });
    } catch {
      continue;
    }
    const user = findUser(name);
    if (user) return user;
  }
  // Two processes may have tried at once: then one failed because the user had just come to be.
  return findUser(name);
}
