/**
 * Where an export goes. A file appears whole or not at all: it is written beside its place and moved there at
 * the end. Standard output and devices are written to directly.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { DiskFull, errorCode, ForagerError } from '../../platform/errors.ts';
import { outputClosed, writeOutput } from '../../platform/standard-output.ts';

export interface ExportTarget {
  /** Nobody reads any more: writing on would be for nothing. */
  readonly isClosed: boolean;
  write(text: string): Promise<void>;
  /** Everything written is in place when it resolves. */
  finish(): Promise<void>;
  /** Leaves no trace of a file that was not finished. */
  discard(): Promise<void>;
}

const CHUNK_CHARS = 65_536;

/** Undefined and "-" mean standard output. */
export async function openTarget(file: string | undefined): Promise<ExportTarget> {
  const sink = file === undefined || file === '-' ? standardOutput : await openFile(file);
  let pending = '';
  const flush = async (): Promise<void> => {
    const chunk = pending;
    pending = '';
    if (chunk !== '') await sink.write(chunk);
  };
  return {
    get isClosed() {
      return sink.isClosed();
    },
    write: async (text) => {
      pending += text;
      if (pending.length >= CHUNK_CHARS) await flush();
    },
    finish: async () => {
      await flush();
      await sink.finish();
    },
    discard: () => sink.discard(),
  };
}

/** Says before a long crawl, not after it, that its export could not be written. */
export async function checkTarget(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  // A pipe or a device is not touched: opening one can be an event for whoever reads it.
  if (file === '-' || (found !== undefined && !found.isFile() && !found.isDirectory())) return;
  await (await openFile(file)).discard();
}

interface Sink {
  isClosed(): boolean;
  write(chunk: string): Promise<void>;
  finish(): Promise<void>;
  discard(): Promise<void>;
}

const standardOutput: Sink = {
  isClosed: () => outputClosed.aborted,
  write: writeOutput,
  finish: async () => undefined,
  discard: async () => undefined,
};

async function openFile(file: string): Promise<Sink> {
  if (file === '') {
    throw new ForagerError('export-unwritable', 'The name of the file to export to is empty.', {
      hint: 'name a file, such as pages.jsonl',
    });
  }
  // A link stays a link: what it points to is replaced.
  const place = await realpath(file).catch(() => path.resolve(file));
  const found = await stat(place).catch(() => undefined);
  if (found?.isDirectory()) {
    throw new ForagerError('export-unwritable', `${file} is a directory; an export is a file.`, {
      hint: 'name a file in it, such as pages.jsonl',
    });
  }
  const isDirect = found !== undefined && !found.isFile();
  const written = isDirect ? place : draftOf(place);
  const handle = await guard(file, () => open(written, isDirect ? 'w' : 'wx', 0o644));
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await handle.close();
    isOpen = false;
  };
  return {
    isClosed: () => false,
    write: (chunk) => guard(file, () => writeAll(handle, chunk)),
    finish: () =>
      guard(file, async () => {
        if (!isDirect) await handle.sync();
        await close();
        if (!isDirect) await rename(written, place);
      }),
    discard: async () => {
      await close().catch(() => undefined);
      if (!isDirect) await rm(written, { force: true }).catch(() => undefined);
    },
  };
}

function draftOf(place: string): string {
  return path.join(path.dirname(place), `.${path.basename(place)}.${randomBytes(4).toString('hex')}.part`);
}

async function writeAll(handle: FileHandle, chunk: string): Promise<void> {
  const bytes = Buffer.from(chunk, 'utf8');
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'its directory does not exist',
  ENOTDIR: 'its directory does not exist',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENAMETOOLONG: 'its name is too long',
  EFBIG: 'it would be larger than this system allows',
};

async function guard<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      throw new DiskFull(`The export cannot be written to ${file}: no space is left on its disk.`, {
        hint: 'free some space or choose another disk, then export again; nothing crawled is lost',
        cause: error,
      });
    }
    if (code === undefined) throw error;
    const problem = PROBLEMS[code] ?? code;
    throw new ForagerError('export-unwritable', `The export cannot be written to ${file}: ${problem}.`, {
      hint: 'choose another place for it, or make this one writable',
      cause: error,
    });
  }
}
