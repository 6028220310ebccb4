/**
 * What the server writes while it runs: lines of JSON on standard error, one an event, for whatever collects them.
 * On a terminal a person looks: a short line for warnings and errors, and silence about the rest.
 */
import type { LogOptions } from '../api/server.ts';
import type { CommandContext } from './context.ts';
import { printable } from './format.ts';

const WARN = 40;
const ERROR = 50;

interface LogLine {
  readonly level: number;
  readonly msg?: string;
  readonly code?: string;
  readonly err?: { readonly message?: string };
}

export interface ServerLog extends LogOptions {
  /** From now on lines for people go through this: something else is drawn on the same terminal. */
  showThrough(print: (text: string) => void): void;
}

export function openServerLog({ config, err, isJson }: CommandContext): ServerLog {
  const isForPeople = err.isInteractive && !isJson;
  let print = (text: string): void => err.write(`  ${text}\n`);
  return {
    level: config.logLevel,
    stream: {
      write: (line) => {
        if (!isForPeople) err.write(line);
        else {
          const text = describeLine(line);
          if (text !== undefined) print(text);
        }
      },
    },
    showThrough: (printer) => {
      print = printer;
    },
  };
}

/** Undefined: nothing that a person must know now. */
function describeLine(line: string): string | undefined {
  const { level, msg, code, err } = JSON.parse(line) as LogLine;
  if (level < WARN) return undefined;
  const kind = level < ERROR ? 'warning' : 'error';
  const parts = [msg, code, err?.message].filter((part) => part !== undefined && part !== '');
  return printable(`${kind}: ${parts.join(': ')}`);
}
