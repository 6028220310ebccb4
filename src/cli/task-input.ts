/** A file with orders, or standard input, opened before anything else is, and read as a stream. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { errorCode, ForagerError } from '../platform/errors.ts';
import { UsageError } from './exit.ts';
import { printable } from './format.ts';
import { BadHeader } from './task-header.ts';
import { type OrderLine, readOrderLines } from './task-lines.ts';

export interface TaskInput {
  /** What messages call it. */
  readonly name: string;
  /** How much of it has been read, from 0 to 1, where that can be known. */
  fraction(): number | undefined;
  lines(signal: AbortSignal): AsyncGenerator<OrderLine[]>;
}

export async function openTaskInput(file: string): Promise<TaskInput> {
  if (file === '-') return makeInput('standard input', undefined, process.stdin);
  try {
    const handle = await open(file);
    const stats = await handle.stat();
    if (stats.isDirectory()) {
      await handle.close();
      throw Object.assign(new Error('a directory'), { code: 'EISDIR' });
    }
    const size = stats.isFile() ? stats.size : undefined;
    return makeInput(printable(file), size, createReadStream(file, { fd: handle }));
  } catch (error) {
    const code = errorCode(error) ?? String(error);
    throw new UsageError(
      `The file ${printable(file)} cannot be read: ${REASONS[code] ?? code}.`,
      'check its name and rights',
    );
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'you may not read it',
};

function makeInput(name: string, sizeBytes: number | undefined, stream: Readable): TaskInput {
  let readBytes = 0;
  async function* countBytes(): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      const bytes: Buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      readBytes += bytes.length;
      yield bytes;
    }
  }
  return {
    name,
    fraction: () => (sizeBytes ? readBytes / sizeBytes : undefined),
    lines: async function* (signal) {
      // Waiting for input that never comes must be possible to end.
      addAbortSignal(signal, stream);
      try {
        yield* readOrderLines(countBytes());
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof BadHeader) {
          throw new UsageError(`${name}:${error.line}: ${error.message}.`, error.hint);
        }
        const code = errorCode(error);
        if (code === undefined) throw error;
        const what = code.startsWith('Z_') ? 'it is not a whole gzip file' : code;
        throw new ForagerError('unreadable-file', `${name} cannot be read any further: ${what}.`, {
          hint: 'what was read up to there counts; with --batch, sending it again orders nothing twice',
          cause: error,
        });
      }
    },
  };
}
