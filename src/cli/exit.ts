/** How a command ends other than well. Exit codes: 0 ok, 1 failed, 2 the command line is wrong. */
import { ForagerError } from '../platform/errors.ts';

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

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
