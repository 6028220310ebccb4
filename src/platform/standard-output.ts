/**
 * Standard output as a pipe: it may close early (`forager … | head`) and it may be slow. Closing ends the
 * writing, quietly; being slow makes the writer wait instead of filling the memory.
 */
import { errorCode } from './errors.ts';

const closed = new AbortController();

/** Raised when nobody reads standard output any more: whoever streams to it may stop. */
export const outputClosed: AbortSignal = closed.signal;

let isWatching = false;

/** Without this a reader that leaves early would end the process with a stack trace. */
export function tolerateClosedOutput(): void {
  if (isWatching) return;
  isWatching = true;
  process.stdout.on('error', (error) => {
    if (errorCode(error) !== 'EPIPE') throw error;
    closed.abort();
  });
  // A message nobody can read any more is no reason to fail.
  process.stderr.on('error', () => undefined);
}

/** Resolves when the text may be followed by more. */
export async function writeOutput(chunk: string | Buffer): Promise<void> {
  if (outputClosed.aborted || process.stdout.write(chunk)) return;
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      process.stdout.off('drain', settle);
      outputClosed.removeEventListener('abort', settle);
      resolve();
    };
    process.stdout.once('drain', settle);
    outputClosed.addEventListener('abort', settle);
  });
}

const CHUNK_CHARS = 32_768;

/**
 * Gathers lines into chunks: one write per line would cost more than making the line. What was gathered goes
 * out as soon as there is nothing else to do, so that a program that asks line by line gets its answers.
 */
export class LineWriter {
  #pending = '';
  #isScheduled = false;

  async write(line: string): Promise<void> {
    this.#pending += `${line}\n`;
    if (this.#pending.length >= CHUNK_CHARS) await this.flush();
    else this.#flushSoon();
  }

  async flush(): Promise<void> {
    const chunk = this.#pending;
    this.#pending = '';
    if (chunk !== '') await writeOutput(chunk);
  }

  #flushSoon(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      void this.flush();
    });
  }
}
