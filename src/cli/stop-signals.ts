/** Ctrl-C and SIGTERM: the first asks for a clean end, the second ends the process at once. */
const GRACE_MS = 5000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function stopOnSignals(hooks: {
  onFirst: (signal: string) => void;
  /** What is in flight had its time: it is called off, and is simply still due. */
  onGraceOver: () => void;
}): () => void {
  let timer: NodeJS.Timeout | undefined;
  const listener = (signal: NodeJS.Signals): void => {
    // Whatever was not committed is still due; the leases of a dead process are freed by the next one.
    if (timer !== undefined) process.exit(130);
    timer = setTimeout(hooks.onGraceOver, GRACE_MS);
    hooks.onFirst(signal === 'SIGINT' ? 'Ctrl-C' : signal);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    clearTimeout(timer);
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}
