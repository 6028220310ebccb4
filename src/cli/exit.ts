/** How a command ends other than well; 0 means that all went well. */
import { ForagerError } from '../platform/errors.ts';

export const EXIT_FAILED = 1;
/** The command line is wrong. */
export const EXIT_USAGE = 2;
/** Stopped by a signal: 128 and the number of SIGINT, as shells count. */
export const EXIT_INTERRUPTED = 130;

/** Thrown by a command whose arguments are wrong in a way the parser cannot see. */
export class UsageError extends ForagerError {
  constructor(message: string, hint?: string) {
    super('usage', message, hint === undefined ? {} : { hint });
  }
}

/** Thrown by a command that has already said what there was to say. */
export class QuietExit extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}
