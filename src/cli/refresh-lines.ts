/** The part of a crawl's summary about known pages: what was found when they were read again. */
import type { RunSummary } from '../control/runs/run-summary.ts';
import { formatCount, pad } from './format.ts';
import type { Style } from './terminal.ts';

const FINDING_PHRASES: readonly (readonly [finding: string, phrase: string])[] = [
  ['unchanged', 'unchanged'],
  ['changed', 'changed'],
  ['missing', 'missing for now, to be asked for again'],
  ['gone', 'gone'],
  ['unread', 'could not be read; what is known of them stays'],
];

export function refreshLines({ refreshed }: RunSummary, style: Style): string[] {
  const rows = FINDING_PHRASES.flatMap(([finding, phrase]) => {
    const count = refreshed[finding];
    return count === undefined ? [] : [[formatCount(count), phrase] as const];
  });
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(([count]) => count.length));
  return [
    `  ${style.bold('Known pages read again')}`,
    ...rows.map(([count, phrase]) => `    ${pad(count, width, 'right')}  ${phrase}`),
    '',
  ];
}
