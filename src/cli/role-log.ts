/**
 * The log of a role that serves nothing: lines of JSON on standard error, in the form of the server's; on a terminal
 * a short line for whoever looks.
 */
import { hostname } from 'node:os';
import { now } from '../platform/clock.ts';
import type { CommandContext } from './context.ts';
import { printable } from './format.ts';
import type { RoleLog } from './scheduler-log.ts';

const LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, silent: 100 } as const;

export function openRoleLog({ config, err, isJson }: CommandContext): RoleLog {
  const isForPeople = err.isInteractive && !isJson;
  const write = (name: 'debug' | 'info' | 'warn' | 'error', fields: object, sentence: string): void => {
    const level = LEVELS[name];
    if (level < LEVELS[config.logLevel]) return;
    if (isForPeople) {
      err.write(`  ${describe(name, fields, sentence)}\n`);
      return;
    }
    const line = { level, time: now().getTime(), pid: process.pid, hostname: hostname(), ...plain(fields) };
    err.write(`${JSON.stringify({ ...line, msg: sentence })}\n`);
  };
  return {
    debug: (fields, sentence) => write('debug', fields, sentence),
    info: (fields, sentence) => write('info', fields, sentence),
    warn: (fields, sentence) => write('warn', fields, sentence),
    error: (fields, sentence) => write('error', fields, sentence),
  };
}

/** An error by itself would be an empty object. */
function plain(fields: object): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, showError(value)]));
}

function showError(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return { type: value.name, message: value.message, stack: value.stack };
}

function describe(name: string, fields: object, sentence: string): string {
  const details = Object.entries(fields).map(([field, value]) =>
    value instanceof Error ? value.message : `${field} ${String(value)}`,
  );
  const kind = name === 'warn' || name === 'error' ? `${name}: ` : '';
  return printable(`${kind}${[sentence, details.join(', ')].filter((part) => part !== '').join(': ')}`);
}
