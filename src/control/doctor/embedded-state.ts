/** Whether the data directory holds an embedded database and whether it runs, without starting it. */
import path from 'node:path';
import { exists } from '../../platform/embedded/data-dir.ts';
import { placeServer } from '../../platform/embedded/placement.ts';
import { readPostmasterFile } from '../../platform/embedded/postmaster-file.ts';

export type EmbeddedState =
  | { readonly kind: 'none' }
  | { readonly kind: 'stopped'; readonly clusterDir: string }
  | { readonly kind: 'running'; readonly clusterDir: string; readonly pid: number; readonly port: number };

export async function readEmbeddedState(dataDir: string): Promise<EmbeddedState> {
  const inside = path.join(dataDir, 'postgres');
  const isThere =
    (await exists(path.join(inside, 'cluster', 'PG_VERSION'))) ||
    (await exists(path.join(inside, 'location.json'))) ||
    // Root may see the directory but, under a user namespace, not what is in it.
    (await exists(path.join(inside, 'cluster', 'postmaster.pid')));
  if (!isThere) return { kind: 'none' };
  const { clusterDir } = await placeServer(dataDir);
  const file = await readPostmasterFile(clusterDir);
  if (file === undefined || !file.isRunning) return { kind: 'stopped', clusterDir };
  return { kind: 'running', clusterDir, pid: file.pid, port: file.port };
}
