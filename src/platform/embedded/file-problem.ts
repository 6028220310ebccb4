import { DiskFull, errorCode, PlatformError } from '../errors.ts';

/** Turns what the file system says about a place into a sentence; anything else passes through unchanged. */
export function describeFileProblem(error: unknown, place: string, whatFor: string): unknown {
  const code = errorCode(error);
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return describeFullDisk(place, error);
    case 'EACCES':
    case 'EPERM':
      return new PlatformError(
        'data-dir-unwritable',
        `${whatFor} ${place} cannot be written to by this user.`,
        {
          hint: 'give it to the user that runs Forager (chown), or choose another one with FORAGER_DATA_DIR or --data-dir',
          cause: error,
        },
      );
    case 'EROFS':
      return new PlatformError('data-dir-unwritable', `${whatFor} ${place} is on a read-only file system.`, {
        hint: 'choose a place that can be written to with FORAGER_DATA_DIR or --data-dir',
        cause: error,
      });
    case 'ENOTDIR':
    case 'EEXIST':
      return new PlatformError('data-dir-unusable', `${whatFor} ${place} is not a directory.`, {
        hint: 'choose a directory with FORAGER_DATA_DIR or --data-dir',
        cause: error,
      });
    case 'ENOENT':
    case 'ELOOP':
      return new PlatformError(
        'data-dir-unusable',
        `${whatFor} ${place} leads to a place that is not there.`,
        {
          hint: 'a link in it may point to a disk that is not mounted: mount it, or choose another directory with FORAGER_DATA_DIR or --data-dir',
          cause: error,
        },
      );
    default:
      return error;
  }
}

export function describeFullDisk(place: string, cause?: unknown): DiskFull {
  return new DiskFull(`No space is left on the disk that holds ${place}.`, {
    hint: 'free some space there, or move the data directory to a larger disk; nothing that was committed is lost',
    cause,
  });
}
