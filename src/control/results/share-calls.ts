/**
 * Many ask for the same at the same time: those who come while it is being done share the next doing, which begins
 * when that one is over. Everybody gets one that began after they asked.
 */
export function shareCalls(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const start = (): Promise<void> => {
    next = undefined;
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (running === undefined && next === undefined) return start();
    next ??= (running ?? Promise.resolve()).then(start, start);
    return next;
  };
}
