/**
 * Ctrl-C, SIGTERM and SIGHUP: the first asks for a clean end, the second ends the process at once. They may come at
 * any time, also before there is anything to stop: whoever can be stopped later is told at once.
 */
import { EXIT_INTERRUPTED } from './exit.ts';

/** Somebody waits at the terminal. */
const GRACE_MS = 5000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface StopSignals {
  /** Called with the signal's name when the first one comes, or has come already. */
  whenAsked(stop: (signal: string) => void): void;
  /** Called when what is in flight had its time: it is called off, and is simply still due. */
  whenGraceIsOver(callOff: () => void): void;
  unhook(): void;
}

/** `onEarly` is told of a signal that comes before anybody can be stopped. */
export function hearStopSignals(onEarly: (signal: string) => void, graceMs = GRACE_MS): StopSignals {
  let asked: string | undefined;
  let stop: ((signal: string) => void) | undefined;
  let callOff = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  const listener = (signal: NodeJS.Signals): void => {
    // Whatever was not committed is still due; the leases of a dead process are freed by the next one.
    if (asked !== undefined) process.exit(EXIT_INTERRUPTED);
    asked = signal === 'SIGINT' ? 'Ctrl-C' : signal;
    timer = setTimeout(() => callOff(), graceMs);
    (stop ?? onEarly)(asked);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return {
    whenAsked: (listenerOfStop) => {
      stop = listenerOfStop;
      if (asked !== undefined) stop(asked);
    },
    whenGraceIsOver: (listenerOfEnd) => {
      callOff = listenerOfEnd;
    },
    unhook: () => {
      clearTimeout(timer);
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
}
