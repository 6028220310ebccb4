/** A file that somebody names, or standard input: opened before anything else is, and read as a stream. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { errorCode } from '../platform/errors.ts';
import { UsageError } from './exit.ts';
import { printable } from './format.ts';

export interface ByteInput {
  /** What messages call it. */
  readonly name: string;
  /** Undefined where nobody can know. */
  readonly sizeBytes: number | undefined;
  readonly readBytes: number;
  /** To be ended by whoever waits for input that never comes. */
  readonly stream: Readable;
  bytes(): AsyncGenerator<Buffer>;
}

/** `what` it is, for the message when it cannot be read: "file", "seeds file". */
export async function openInput(file: string, what: string): Promise<ByteInput> {
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
      `The ${what} ${printable(file)} cannot be read: ${REASONS[code] ?? code}.`,
      'check its name and rights',
    );
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'you may not read it',
};

function makeInput(name: string, sizeBytes: number | undefined, stream: Readable): ByteInput {
  let readBytes = 0;
  return {
    ...{ name, sizeBytes, stream },
    get readBytes() {
      return readBytes;
    },
    bytes: async function* () {
      for await (const chunk of stream) {
        const bytes: Buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        readBytes += bytes.length;
        yield bytes;
      }
    },
  };
}
