/**
 * What a person gets to see when something is wrong: one sentence (what, where) and one hint (how to fix it).
 * Anything that is not a ForagerError is a defect of the program and is shown with its stack.
 */
export class ForagerError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = options.hint;
  }
}

/** The ground beneath is not fit: settings, data directory, database server, disk. */
export class PlatformError extends ForagerError {}

/** The connection to the database broke; whatever was in flight may or may not have been committed. */
export class ConnectionLost extends PlatformError {
  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super('connection-lost', message, options);
  }
}

/** No space left where the database, the page bodies or the log are written. */
export class DiskFull extends PlatformError {
  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super('disk-full', message, options);
  }
}

/** The text a person reads: the sentence, and on a second line what to do about it. */
export function describeError(error: unknown): string {
  if (error instanceof ForagerError) {
    return error.hint === undefined ? error.message : `${error.message}\n  fix: ${error.hint}`;
  }
  if (error instanceof Error) return error.stack ?? error.message;
  return String(error);
}

/** The `code` of a system or database error (`ENOSPC`, `40001`), if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
