/**
 * Stops code that does not come to an end. Parsers run within the crawl, on its one thread: an endless loop, or a
 * regular expression that backtracks for hours, would stop everything. Node stops what runs in a `vm` script after a
 * time, and with it whatever the script has called; about 80 µs for each call.
 */
import { createContext, Script } from 'node:vm';
import { errorCode } from '../../../platform/errors.ts';

interface Box {
  run: () => void;
}

const box: Box = Object.assign(Object.create(null), { run: () => undefined });
const context = createContext(box);
const call = new Script('run()');

export type Limited<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'stopped' };

/** What the code throws, it throws. */
export function withTimeLimit<T>(limitMs: number, code: () => T): Limited<T> {
  let result: Limited<T> = { kind: 'stopped' };
  const before = box.run;
  box.run = () => {
    result = { kind: 'done', value: code() };
  };
  try {
    call.runInContext(context, { timeout: limitMs });
    return result;
  } catch (error) {
    if (errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return { kind: 'stopped' };
    throw error;
  } finally {
    box.run = before;
  }
}
