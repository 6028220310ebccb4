/**
 * The place a subscriber has come to, as the text that is the id of an event: the highest change it has seen, and
 * those with lower numbers whose transactions had not committed by then. Whoever reconnects gives it back and misses
 * neither what came later nor what came late.
 */
import { PLACE } from '../../contract/live.ts';

export interface Place {
  readonly last: number;
  readonly missing: readonly number[];
}

/** As many as the text may list; the newest are the likeliest to come yet. */
const MOST_LISTED = 30;

export function writePlace({ last, missing }: Place): string {
  if (missing.length === 0) return String(last);
  return `${last}~${missing.slice(-MOST_LISTED).join('.')}`;
}

/** Undefined: it is none. */
export function readPlace(text: string): Place | undefined {
  if (!PLACE.test(text)) return undefined;
  const [last = '', missing] = text.split('~');
  return { last: Number(last), missing: missing === undefined ? [] : missing.split('.').map(Number) };
}
