/** Orders in a file or on standard input. */
import { addAbortSignal } from 'node:stream';
import { errorCode, ForagerError } from '../platform/errors.ts';
import { UsageError } from './exit.ts';
import { openInput } from './open-input.ts';
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
  const input = await openInput(file, 'file');
  const { name, sizeBytes, stream } = input;
  return {
    name,
    fraction: () => (sizeBytes ? input.readBytes / sizeBytes : undefined),
    lines: async function* (signal) {
      // Waiting for input that never comes must be possible to end.
      addAbortSignal(signal, stream);
      try {
        yield* readOrderLines(input.bytes());
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
