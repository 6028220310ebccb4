/** How often something is done, on the command line and in what it prints; hours are what is stored. */
import { InvalidArgumentError } from 'commander';
import { formatCount } from './format.ts';

const HOURS_OF: Readonly<Record<string, number>> = { m: 1 / 60, h: 1, d: 24 };

/** `30m`, `6h`, `7d`; a number by itself is hours. How often is possible is left to the contract. */
export function frequencyOption(text: string): number {
  const [, number, unit = 'h'] = /^(\d{1,9}(?:\.\d{1,6})?)([mhd])?$/.exec(text) ?? [];
  if (number === undefined) {
    throw new InvalidArgumentError('It must be a time such as 30m, 6h, 7d, or a number of hours.');
  }
  return Number(number) * (HOURS_OF[unit] ?? 1);
}

/** The same for whatever has no contract that it is held to. */
export function boundedFrequency(text: string): number {
  const hours = frequencyOption(text);
  if (hours >= 1 / 60 && hours <= 87_600) return hours;
  throw new InvalidArgumentError('It must be at least a minute (1m) and at most ten years (3650d).');
}

export function describeFrequency(hours: number): string {
  const minutes = Math.round(hours * 60);
  if (minutes % 1440 === 0) return `${minutes / 1440} d`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${formatCount(minutes)} min`;
}
