/** Waiting that somebody can call off: nothing here outlives the one who asked for it. */

/** Resolves after so many milliseconds, or as soon as the signal says so. */
export function pauseUnless(signal: AbortSignal, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}

/** The answer, or an error with this sentence when it takes longer. What was asked goes on, unheard. */
export function within<T>(milliseconds: number, asked: Promise<T>, sentence: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(sentence)), milliseconds);
    asked.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Resolves when it is settled, one way or the other, or when the time is over. */
export async function settledWithin(milliseconds: number, asked: Promise<unknown>): Promise<void> {
  await within(milliseconds, asked, 'too late').catch(() => undefined);
}
