/** A list of sites in a file or on standard input. */
import { addAbortSignal } from 'node:stream';
import { readSeedList, type SeedItem, type SeedRules } from '../engine/seeds/read-seed-list.ts';
import { errorCode, ForagerError } from '../platform/errors.ts';
import { openInput } from './open-input.ts';

export interface SeedInput {
  /** What messages call it. */
  readonly name: string;
  /** Undefined where nobody can know. */
  readonly sizeBytes: number | undefined;
  readonly readBytes: number;
  items(rules: SeedRules, signal?: AbortSignal): AsyncGenerator<SeedItem[]>;
}

export async function openSeedInput(file: string): Promise<SeedInput> {
  const input = await openInput(file, 'seeds file');
  const { name, sizeBytes, stream } = input;
  return {
    name,
    sizeBytes,
    get readBytes() {
      return input.readBytes;
    },
    items: async function* (rules, signal) {
      // Waiting for input that never comes must be possible to end.
      if (signal !== undefined) addAbortSignal(signal, stream);
      try {
        yield* readSeedList(input.bytes(), rules);
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
