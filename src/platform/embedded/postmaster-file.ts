import { constants, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isWorkingIn } from '../process-identity.ts';

/** What a running server writes about itself into its cluster. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  readonly status: string;
  /** Whether the process of that number really is the server of this cluster, and not a later one by chance. */
  readonly isRunning: boolean;
}

export async function readPostmasterFile(clusterDir: string): Promise<PostmasterFile | undefined> {
  const lines = (await readText(clusterDir))?.split('\n');
  const pid = Number(lines?.[0]);
  if (lines === undefined || !Number.isInteger(pid) || pid <= 0) return undefined;
  return {
    pid,
    port: Number(lines[3]) || 0,
    status: lines[7]?.trim() ?? '',
    isRunning: isWorkingIn(pid, clusterDir),
  };
}

/**
 * A server that was killed leaves its file behind, and if its number has been given to another process since,
 * PostgreSQL believes that process to be the server and refuses to start. Deleting the file would also remove
 * PostgreSQL's own protection against leftover children of the killed server, so only the number is replaced,
 * by one that no process can have.
 */
export async function disarmStalePostmasterFile(clusterDir: string): Promise<void> {
  const text = await readText(clusterDir);
  const found = await readPostmasterFile(clusterDir);
  if (text === undefined || found === undefined || found.isRunning) return;
  const rest = text.slice(text.indexOf('\n'));
  // Never through a link: as root this writes into a directory of the server's user.
  const file = await open(path.join(clusterDir, 'postmaster.pid'), constants.O_RDWR | constants.O_NOFOLLOW);
  await file.writeFile(`${impossiblePid}${rest}`).finally(() => file.close());
}

/** Above the largest process number of any supported system, and as long as any real one. */
const impossiblePid = 2147483646;

async function readText(clusterDir: string): Promise<string | undefined> {
  try {
    return await readFile(path.join(clusterDir, 'postmaster.pid'), 'utf8');
  } catch {
    return undefined;
  }
}
