import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../clock.ts';
import type { Placement } from './placement.ts';
import { disarmStalePostmasterFile, readPostmasterFile } from './postmaster-file.ts';

const stopWithinMs = 60_000;

/** Fast shutdown: open transactions are rolled back, everything committed is written; then insist. */
export async function stopServer(placement: Placement): Promise<void> {
  const file = await readPostmasterFile(placement.clusterDir);
  if (file === undefined || !file.isRunning) return;
  process.kill(file.pid, 'SIGINT');
  const startedAt = monotonicMs();
  let hasInsisted = false;
  while ((await readPostmasterFile(placement.clusterDir))?.isRunning) {
    if (!hasInsisted && monotonicMs() - startedAt > stopWithinMs) {
      hasInsisted = true;
      process.kill(file.pid, 'SIGQUIT');
    }
    await pause(15);
  }
  if (hasInsisted) await disarmStalePostmasterFile(placement.clusterDir);
}
