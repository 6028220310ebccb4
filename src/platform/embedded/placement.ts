/**
 * Where the server's files lie. Normally in the data directory. But root must run the server as another user,
 * and that user cannot pass a closed directory such as /root: then the files lie in a place it can reach, and
 * the data directory keeps a pointer to it.
 */
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PlatformError } from '../errors.ts';
import { exists, writeFileWhole } from './data-dir.ts';
import { chooseServerUser, findClosedDoor, type ServerUser } from './server-user.ts';

export interface Placement {
  /** Holds the cluster and, if needed, the staged binaries. */
  readonly home: string;
  readonly clusterDir: string;
  readonly user: ServerUser;
}

const reachablePlaces = ['/var/lib/forager', '/var/tmp/forager', path.join(os.tmpdir(), 'forager')];

/** To be called under the server lock: it may create directories and the pointer. */
export async function placeServer(dataDir: string): Promise<Placement> {
  const inside = path.join(dataDir, 'postgres');
  const pointer = path.join(inside, 'location.json');
  const pointed = await readPointer(pointer);
  if (pointed !== undefined) {
    if (!(await exists(path.join(pointed, 'cluster')))) throw describeLostFiles(pointed, pointer);
    return place(dataDir, pointed);
  }
  const placement = place(dataDir, inside);
  if (placement.user.kind === 'self' || (await openTheWay(dataDir, inside, placement.user))) return placement;
  return { ...place(dataDir, await makeReachableHome(placement.user)), user: placement.user };
}

/** Remembered only once the cluster is there, so that a failed first start leaves no pointer to nothing. */
export async function rememberPlacement(dataDir: string, placement: Placement): Promise<void> {
  const inside = path.join(dataDir, 'postgres');
  if (placement.home === inside) return;
  const text = `${JSON.stringify({ home: placement.home })}\n`;
  await writeFileWhole(path.join(inside, 'location.json'), text, 0o644);
}

function place(dataDir: string, home: string): Placement {
  const clusterDir = path.join(home, 'cluster');
  return { home, clusterDir, user: chooseServerUser(dataDir, clusterDir) };
}

/**
 * Lets the server's group pass through the two directories that are Forager's own. Everything above belongs to
 * somebody else and stays as it is.
 */
async function openTheWay(dataDir: string, inside: string, user: ServerUser): Promise<boolean> {
  if (findClosedDoor(path.dirname(dataDir), user) !== undefined) return false;
  for (const directory of [dataDir, inside]) {
    if (findClosedDoor(directory, user) === undefined) continue;
    const { uid, gid, mode } = await stat(directory);
    const isOurs = uid === 0 && (gid === 0 || gid === user.gid);
    if (!isOurs) return false;
    await chown(directory, 0, user.gid);
    await chmod(directory, (mode & 0o707) | 0o010);
  }
  return true;
}

async function makeReachableHome(user: ServerUser): Promise<string> {
  for (const base of reachablePlaces) {
    try {
      await mkdir(base, { recursive: true, mode: 0o711 });
      const home = path.join(await realpath(base), randomBytes(6).toString('hex'));
      if (findClosedDoor(path.dirname(home), user) !== undefined) continue;
      // Root's own, with passage for the server: what root writes here nobody can redirect.
      await mkdir(home, { mode: 0o700 });
      await chown(home, 0, user.gid);
      await chmod(home, 0o710);
      return home;
    } catch {
      // Read-only, missing, or somebody else's: try the next one.
    }
  }
  throw new PlatformError(
    'no-reachable-place',
    `The database cannot run inside a directory that only root may enter, and none of ${reachablePlaces.join(', ')} can be used instead.`,
    {
      hint: 'choose a data directory outside root’s home with FORAGER_DATA_DIR or --data-dir, or run as an ordinary user',
    },
  );
}

async function readPointer(file: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    const parsed: unknown = JSON.parse(text);
    if (
      typeof parsed === 'object' &&
      parsed !== null &&
      'home' in parsed &&
      typeof parsed.home === 'string'
    ) {
      return parsed.home;
    }
  } catch {
    // Told below.
  }
  throw new PlatformError(
    'location-unreadable',
    `The file ${file} does not name the place of the database.`,
    {
      hint: 'restore it from a backup; deleting it makes Forager start with an empty database',
    },
  );
}

function describeLostFiles(home: string, pointer: string): PlatformError {
  return new PlatformError(
    'cluster-missing',
    `The database files in ${home}, named by ${pointer}, are gone.`,
    {
      hint: `restore ${home} from a backup; deleting ${pointer} makes Forager start with an empty database`,
    },
  );
}
