import { now } from './clock.ts';
import type { logLevels } from './settings.ts';

export type LogLevel = (typeof logLevels)[number];
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Messages for operators, on standard error; standard output belongs to results. */
export interface Log {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
}

export interface LogOptions {
  readonly level: LogLevel;
  readonly format?: 'plain' | 'json';
  readonly write?: (line: string) => void;
}

const rank: Record<LogLevel, number> = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 };

export function createLog(options: LogOptions): Log {
  const write = options.write ?? ((line: string) => process.stderr.write(`${line}\n`));
  const format = options.format === 'json' ? formatJson : formatPlain;
  const say = (level: Exclude<LogLevel, 'silent'>) => (message: string, fields?: LogFields) => {
    if (rank[level] <= rank[options.level]) write(format(level, message, fields));
  };
  return { error: say('error'), warn: say('warn'), info: say('info'), debug: say('debug') };
}

export const silentLog: Log = createLog({ level: 'silent' });

function formatPlain(level: LogLevel, message: string, fields: LogFields = {}): string {
  const details = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${formatValue(value)}`);
  return `${now().toISOString()} ${level.padEnd(5)} ${toOneLine(message)}${details.join('')}`;
}

function formatJson(level: LogLevel, message: string, fields: LogFields = {}): string {
  return JSON.stringify({ ...fields, time: now().toISOString(), level, message });
}

function formatValue(value: LogFields[string]): string {
  if (typeof value !== 'string') return String(value);
  return /^[\x21-\x7e]+$/.test(value) ? value : JSON.stringify(toOneLine(value));
}

/** One event, one line, and nothing that steers a terminal: what a server sent must not be able to forge either. */
function toOneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+\s*/g, ' ⏎ ').replace(/[\x00-\x1f\x7f-\x9f]/g, '�');
}
