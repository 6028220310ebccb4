/**
 * Standard output as a pipe or a file: it may close early (`forager … | head`), be slow, or be full. Closing
 * ends the writing, quietly; a full disk ends it with a sentence; being slow makes the writer wait instead of
 * filling the memory.
 */
import { errorCode } from './errors.ts';

const closed = new AbortController();

/** Raised when nobody reads standard output any more: whoever streams to it may stop. */
export const outputClosed: AbortSignal = closed.signal;

let isWatching = false;
let isFailed = false;

/** Something that was written did not arrive, and not because the reader had seen enough. */
export function hasOutputFailed(): boolean {
  return isFailed;
}

/** Without this a reader that leaves early would end the process with a stack trace. */
export function tolerateClosedOutput(): void {
  if (isWatching) return;
  isWatching = true;
  process.stdout.on('error', (error) => {
    if (outputClosed.aborted) return;
    closed.abort();
    const code = errorCode(error);
    if (code === 'EPIPE') return;
    isFailed = true;
    // The command may already be over: its exit code is not ours to return any more.
    process.exitCode = 1;
    const problem = code === 'ENOSPC' || code === 'EDQUOT' ? 'no space is left on its disk' : error.message;
    process.stderr.write(
      `forager: Standard output cannot be written to: ${problem}.\n  fix: free some space or write elsewhere, then run the command again; nothing crawled is lost\n`,
    );
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
