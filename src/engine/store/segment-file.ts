/**
 * One segment being written. Bytes go in as whole members with one write each time; whatever fails, the file
 * is cut back to the last whole record, so that it is a valid WARC file at every moment a reader may look,
 * short of a kill in the middle of a write.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { formatMarker, updateMarker } from './open-marker.ts';
import { DRAFT_SUFFIX, OPEN_SUFFIX } from './segment-name.ts';

export interface SegmentOwner {
  readonly writerId: string;
  readonly owner: string;
}

export class SegmentFile {
  readonly name: string;
  readonly path: string;
  readonly #fd: number;
  readonly #markerFd: number;
  #size = 0;
  #syncedSize = -1;
  #isDirectorySynced = false;
  #isInDoubt = false;

  /**
   * Creates the segment with its first record in it. The name appears by a rename, so that nobody ever sees
   * an empty file, which WARC tools refuse; the marker comes first, so that no crash leaves an unmarked one.
   * Undefined if the name is taken.
   */
  static create(directory: string, name: string, owner: SegmentOwner, firstMember: Buffer) {
    const path = join(directory, name);
    if (existsSync(path)) return undefined;
    const markerFd = reserveMarker(`${path}${OPEN_SUFFIX}`);
    if (markerFd === undefined) return undefined;
    let fd: number | undefined;
    try {
      writeSync(markerFd, formatMarker({ syncedBytes: 0, ...owner }));
      fd = openSync(`${path}${DRAFT_SUFFIX}`, 'w');
      const segment = new SegmentFile(path, name, fd, markerFd);
      segment.write(firstMember);
      renameSync(`${path}${DRAFT_SUFFIX}`, path);
      return segment;
    } catch (error) {
      if (fd !== undefined) closeSync(fd);
      closeSync(markerFd);
      rmSync(`${path}${DRAFT_SUFFIX}`, { force: true });
      rmSync(`${path}${OPEN_SUFFIX}`, { force: true });
      throw error;
    }
  }

  private constructor(path: string, name: string, fd: number, markerFd: number) {
    this.path = path;
    this.name = name;
    this.#fd = fd;
    this.#markerFd = markerFd;
  }

  /** Where the next member will begin. */
  get size(): number {
    return this.#size;
  }

  write(members: Buffer): void {
    let done = 0;
    while (done < members.length) {
      done += writeSync(this.#fd, members, done, members.length - done, this.#size + done);
    }
    this.#size += members.length;
  }

  sync(): void {
    if (this.#syncedSize === this.#size) return;
    // After a failed sync the kernel may have dropped the pages, and a second try reports success.
    this.#isInDoubt = true;
    fdatasyncSync(this.#fd);
    if (!this.#isDirectorySynced) {
      // Once per segment: the bytes are of no use if the name that leads to them is lost.
      fsyncSync(this.#markerFd);
      syncDirectory(dirname(this.path));
      this.#isDirectorySynced = true;
    }
    this.#isInDoubt = false;
    this.#syncedSize = this.#size;
    updateMarker(this.#markerFd, this.#size);
  }

  close(): void {
    this.sync();
    closeSync(this.#fd);
    closeSync(this.#markerFd);
    rmSync(`${this.path}${OPEN_SUFFIX}`, { force: true });
  }

  /**
   * After a failed write: takes away what it left behind the last whole record. If even that fails, or
   * syncing does, the marker stays and the next start repairs the file.
   */
  abandon(): void {
    let isWhole = false;
    try {
      ftruncateSync(this.#fd, this.#size);
      fdatasyncSync(this.#fd);
      isWhole = !this.#isInDoubt;
    } catch {
      // Said by the marker that stays.
    }
    closeSync(this.#fd);
    closeSync(this.#markerFd);
    if (isWhole) rmSync(`${this.path}${OPEN_SUFFIX}`, { force: true });
  }
}

function reserveMarker(path: string): number | undefined {
  try {
    return openSync(path, 'wx');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
    throw error;
  }
}

/** Directories cannot be synced everywhere (Windows); where they cannot, there is nothing to do. */
function syncDirectory(directory: string): void {
  let fd: number;
  try {
    fd = openSync(directory, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(fd);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code !== 'EPERM' && code !== 'EINVAL' && code !== 'EISDIR') throw error;
  } finally {
    closeSync(fd);
  }
}
