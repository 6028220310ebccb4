import { setTimeout as waitMs } from 'node:timers/promises';

const START_UP_LIMIT_MS = 60_000;
const PATIENCE_AFTER_INTERRUPT_MS = 180_000;

/** Lets a command run for its time from its first request on, then ends it as Ctrl-C would. */
export async function endAfter(child, site, runMs) {
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const waitWhileRunning = async (milliseconds, isEnough = async () => false) => {
    const until = performance.now() + milliseconds;
    while (isRunning() && performance.now() < until && !(await isEnough())) await waitMs(100);
  };
  await waitWhileRunning(START_UP_LIMIT_MS, async () => (await site.count()).requests > 0);
  await waitWhileRunning(runMs);
  if (isRunning()) child.kill('SIGINT');
  await waitWhileRunning(PATIENCE_AFTER_INTERRUPT_MS);
  if (isRunning()) child.kill('SIGKILL');
}
