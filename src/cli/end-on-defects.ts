/** A defect that nobody caught: it is written down, and the process ends rather than going on half broken. */
import type { LogOptions } from '../api/server.ts';
import { now } from '../platform/clock.ts';
import { EXIT_FAILED } from './exit.ts';

const FATAL = 60;

/** Returns what undoes it. */
export function endOnDefects(log: LogOptions): () => void {
  const listener = (error: unknown): void => {
    const err =
      error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) };
    const line = { level: FATAL, time: now().getTime(), err, msg: 'a defect: the process ends' };
    log.stream.write(`${JSON.stringify(line)}\n`);
    process.exit(EXIT_FAILED);
  };
  process.on('uncaughtException', listener);
  return () => process.off('uncaughtException', listener);
}
