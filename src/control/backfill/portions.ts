/** The work in portions: whoever waits for a row of ours waits for one portion, and a stop falls between two. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';

const nextPortion = loadSql(import.meta.url, './next-portion.sql');

export interface PortionSize {
  /** Domains looked at together. */
  readonly domains: number;
  /** Rows of one table looked at, and rows moved in one transaction; a single domain may have more. */
  readonly rows: number;
}

export const PORTION: PortionSize = { domains: 1000, rows: 50_000 };

/** Domains by id, those that have no row any more among them. */
export interface Portion {
  readonly after: number;
  readonly upto: number;
}

export async function* eachPortion(
  db: Database,
  size: PortionSize,
  signal: AbortSignal | undefined,
): AsyncGenerator<Portion> {
  for (let after = 0; ; ) {
    signal?.throwIfAborted();
    const { rows } = await db.query<{ upto: number | null }>(nextPortion, [after, size.domains, size.rows]);
    const upto = rows[0]?.upto ?? null;
    if (upto === null) return;
    yield { after, upto };
    after = upto;
  }
}

/** Cuts a list so that no part is longer than a portion, nor heavier unless it is one item alone. */
export function* cutByWeight<T>(
  items: Iterable<T>,
  size: PortionSize,
  weigh: (item: T) => number,
): Generator<T[]> {
  let part: T[] = [];
  let weight = 0;
  for (const item of items) {
    const own = weigh(item);
    if (part.length > 0 && (part.length >= size.domains || weight + own > size.rows)) {
      yield part;
      part = [];
      weight = 0;
    }
    part.push(item);
    weight += own;
  }
  if (part.length > 0) yield part;
}
