/** What can go wrong with the archive, each with one sentence a person can act on. */
import { ForagerError } from '../../platform/errors.ts';

export type StoreErrorCode =
  /** From the operating system: ENOSPC, EDQUOT, EFBIG, EIO, EACCES, … */
  | `E${string}`
  | 'BAD_OPTIONS'
  | 'BAD_LOCATION'
  | 'MISSING_SEGMENT'
  | 'MISSING_RECORD'
  | 'CORRUPT_RECORD'
  | 'WRONG_URL'
  | 'TOO_LARGE'
  | 'BAD_ENCODING'
  | 'THREAD_FAILED'
  | 'CLOSED';

export class StoreError extends ForagerError {
  declare readonly code: StoreErrorCode;
  readonly path: string;

  constructor(code: StoreErrorCode, path: string, message: string) {
    super(code, message);
    this.path = path;
  }
}

/** An error that crosses from the writing thread: class instances do not survive the passage. */
export interface PlainStoreError {
  readonly code: StoreErrorCode;
  readonly path: string;
  readonly message: string;
}

export function toPlainError(error: StoreError): PlainStoreError {
  return { code: error.code, path: error.path, message: error.message };
}

export function fromPlainError(plain: PlainStoreError): StoreError {
  return new StoreError(plain.code, plain.path, plain.message);
}

const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Free some space and run the same command again',
  EDQUOT: 'the disk quota is used up. Free some space or raise the quota, then run the same command again',
  EFBIG:
    'the file would grow past the size this system allows. Raise the limit (ulimit -f) or set a smaller segment size',
  EIO: 'the disk reported an input/output error. Check the disk, then run the same command again',
  EROFS: 'the file system is read-only. Mount it for writing or choose another data directory',
  EACCES: 'permission is denied. Make the data directory writable for this user',
  EPERM: 'permission is denied. Make the data directory writable for this user',
  ENOENT: 'its directory is gone. Restore the data directory and run the same command again',
  EMFILE: 'this process has too many files open. Raise the limit (ulimit -n)',
};

/** Turns what node:fs threw while writing into a StoreError that says what to do. */
export function toWriteError(error: unknown, path: string, what = 'Page bodies'): StoreError {
  if (error instanceof StoreError) return error;
  const code = systemCode(error);
  const remedy = REMEDIES[code] ?? (error instanceof Error ? error.message : String(error));
  return new StoreError(code, path, `${what} cannot be written to ${path}: ${remedy}.`);
}

function systemCode(error: unknown): `E${string}` {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    if (error.code.startsWith('E')) return error.code as `E${string}`;
  }
  return 'EUNKNOWN';
}
