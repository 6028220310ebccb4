/** The disk of the data directory is nearly full. Only whoever has the database on its own machine can tell. */
import { statfs } from 'node:fs/promises';
import type { AlertRule } from './rule.ts';

const LEAST_SHARE = 0.05;
const GIB = 1024 ** 3;
const LEAST_BYTES = GIB;

export interface DiskSpace {
  readonly totalBytes: number;
  readonly freeBytes: number;
}

export const diskLow: AlertRule = {
  code: 'disk-low',
  severity: 'critical',
  hint: 'free some space, or move the data directory to a larger disk',
  find: async ({ dataDir }) => {
    if (dataDir === undefined) return undefined;
    const { bsize, blocks, bavail } = await statfs(dataDir);
    const message = describeShortage({ totalBytes: blocks * bsize, freeBytes: bavail * bsize });
    return message === undefined ? [] : [{ subject: '', message }];
  },
};

/** Undefined: there is enough. */
export function describeShortage({ totalBytes, freeBytes }: DiskSpace): string | undefined {
  // Some file systems do not say how large they are.
  if (totalBytes <= 0) return undefined;
  if (freeBytes >= LEAST_BYTES && freeBytes >= totalBytes * LEAST_SHARE) return undefined;
  const percent = Math.floor((freeBytes / totalBytes) * 100);
  return `The disk of the data directory has ${(freeBytes / GIB).toFixed(1)} GB left (${percent} %).`;
}
