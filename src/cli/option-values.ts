/** Values of options, and what is wrong with a bad one. */
import { InvalidArgumentError } from 'commander';

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  if (!/^0*\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is too large a number.');
  return Number(text);
}

export function positiveInteger(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError('It must be at least 1.');
  return value;
}

/** How many rows to show: more would not fit in a list that is held in memory. */
export function rowLimit(text: string): number {
  const value = positiveInteger(text);
  if (value > 100_000)
    throw new InvalidArgumentError('It must be at most 100000; "forager export" has no limit.');
  return value;
}

export function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError('It must be a port: 0 to 65535.');
  return port;
}

export function httpStatus(text: string): number {
  if (!/^[1-9]\d\d$/.test(text)) throw new InvalidArgumentError('It must be an HTTP status such as 200.');
  return Number(text);
}

export function collect(text: string, values: readonly string[]): string[] {
  return [...values, text];
}
