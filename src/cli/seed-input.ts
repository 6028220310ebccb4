/** A list of sites in a file or on standard input, opened before anything else is, and read as a stream. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { readSeedList, type SeedItem, type SeedRules } from '../engine/seeds/read-seed-list.ts';
import { errorCode, ForagerError } from '../platform/errors.ts';
import { UsageError } from './exit.ts';
import { printable } from './format.ts';

export interface SeedInput {
  /** What messages call it. */
  readonly name: string;
  /** Undefined where nobody can know. */
  readonly sizeBytes: number | undefined;
  readonly readBytes: number;
  items(rules: SeedRules, signal?: AbortSignal): AsyncGenerator<SeedItem[]>;
}

export async function openSeedInput(file: string): Promise<SeedInput> {
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
    throw new UsageError(
      `The seeds file ${printable(file)} cannot be read: ${REASONS[errorCode(error) ?? ''] ?? errorCode(error) ?? String(error)}.`,
      'check its name and rights',
    );
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'you may not read it',
};

function makeInput(name: string, sizeBytes: number | undefined, stream: Readable): SeedInput {
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
    sizeBytes,
    get readBytes() {
      return readBytes;
    },
    items: async function* (rules, signal) {
      // Waiting for input that never comes must be possible to end.
      if (signal !== undefined) addAbortSignal(signal, stream);
      try {
        yield* readSeedList(countBytes(), rules);
      } catch (error) {
        throw signal?.aborted ? error : describeReadError(name, error);
      }
    },
  };
}

function describeReadError(name: string, error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined) return error;
  if (code.startsWith('Z_')) {
    return new ForagerError('bad-gzip', `${name} is not a whole gzip file: it breaks off or is damaged.`, {
      hint: 'fetch it again; what was read up to there counts, and loading it again changes nothing',
      cause: error,
    });
  }
  return new ForagerError('unreadable-seeds', `${name} cannot be read any further: ${code}.`, {
    cause: error,
  });
}
