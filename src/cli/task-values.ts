/** Values of options that tasks have, and what is wrong with a bad one. */
import { InvalidArgumentError } from 'commander';
import { now } from '../platform/clock.ts';
import { positiveInteger, wholeNumber } from './option-values.ts';

export function taskIds(text: string, before: readonly number[] = []): number[] {
  return [...before, positiveInteger(text)];
}

export function priorityValue(text: string): number {
  return within(wholeNumber(text), 1, 10, 'It must be from 1, the most urgent, to 10.');
}

export function retriesValue(text: string): number {
  return within(wholeNumber(text), 0, 20, 'It must be from 0 to 20.');
}

export function depthValue(text: string): number {
  return within(wholeNumber(text), 0, 5, 'It must be from 0 to 5.');
}

export function followLimitValue(text: string): number {
  return within(wholeNumber(text), 1, 1000, 'It must be from 1 to 1000.');
}

export function restartLimit(text: string): number {
  return within(wholeNumber(text), 1, 100_000, 'It must be from 1 to 100000.');
}

function within(value: number, lowest: number, highest: number, sentence: string): number {
  if (value >= lowest && value <= highest) return value;
  throw new InvalidArgumentError(sentence);
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A time, or how long ago: 30m, 24h, 7d. */
export function pastMoment(text: string): Date {
  return readMoment(text, -1);
}

/** A time, or in how long: 30m, 24h, 7d. */
export function comingMoment(text: string): Date {
  return readMoment(text, 1);
}

function readMoment(text: string, direction: 1 | -1): Date {
  const [, count = '', unit = ''] = /^\+?(\d{1,4})([mhdw])$/.exec(text) ?? [];
  const spanMs = Number(count) * (UNIT_MS[unit] ?? 0);
  if (unit !== '') return new Date(now().getTime() + direction * spanMs);
  const isZoned = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text);
  const moment = new Date(isZoned ? text : Number.NaN);
  if (!Number.isNaN(moment.getTime())) return moment;
  throw new InvalidArgumentError(
    'It must be a time such as 2026-01-31T12:00:00Z, a day such as 2026-01-31 (UTC), or a span such as 30m, 24h, 7d.',
  );
}
