/** A moment on the command line: how long ago (`90m`, `24h`, `7d`), or a date with or without its time, in UTC. */
import { InvalidArgumentError } from 'commander';
import { now } from '../platform/clock.ts';

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

export function momentOption(text: string): Date {
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([mhdw])$/.exec(text) ?? [];
  if (unit !== '') return new Date(now().getTime() - Number(count) * (UNIT_MS[unit] ?? 0));
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const date = isDay || isTime ? new Date(text) : undefined;
  if (date !== undefined && !Number.isNaN(date.getTime())) return date;
  throw new InvalidArgumentError(
    'It must be how long ago, such as 90m, 24h or 7d, or a time such as 2026-01-31 or 2026-01-31T12:00:00Z.',
  );
}
