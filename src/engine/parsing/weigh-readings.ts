/**
 * What a reading of a stored body has to say, by what is known of its URL when it is written: time has passed since the
 * fetch, and the site may have been visited again meanwhile, or the same body have been parsed before.
 */
import type { Transaction } from '../../platform/transaction.ts';
import { toDueUrl } from '../frontier/read-window.ts';
import type { Visit } from '../visit.ts';
import { type KnownPage, KnownPages, type UrlKey, urlKey } from './known-pages.ts';
import type { GoodReading } from './reading.ts';

export interface WeighedReadings {
  /** Nothing newer is known: written down as the visit it was. */
  readonly fresh: readonly GoodReading[];
  /** The page that is known was read from this very body: what it says is written anew. */
  readonly repeated: readonly RepeatedReading[];
  /** Something newer is known: the task is done, and changes nothing. */
  readonly outdated: readonly GoodReading[];
}

/** Seen when its URL was last visited: the page was as this body has it. */
export interface RepeatedReading extends GoodReading {
  readonly seenAt: Date;
}

/** The domains must be locked already: nobody else visits their URLs while this is decided. */
export async function weighReadings(
  tx: Transaction,
  readings: readonly GoodReading[],
): Promise<WeighedReadings> {
  const known = await KnownPages.read(tx, readings.map(keyOf));
  const fresh = new Map<string, GoodReading>();
  const repeated = new Map<string, RepeatedReading>();
  const outdated: GoodReading[] = [];
  // Two orders may have led to one page: the later fetch counts.
  for (const reading of readings.toSorted((a, b) => dateOf(a) - dateOf(b))) {
    const key = urlKey(keyOf(reading));
    const page = known.get(keyOf(reading));
    if (page !== undefined && isSameBody(page, reading))
      repeated.set(key, { ...reading, seenAt: page.seen_at ?? reading.visit.fetchedAt });
    else if ((page?.seen_at?.getTime() ?? 0) > dateOf(reading)) outdated.push(reading);
    else {
      const older = fresh.get(key);
      if (older !== undefined) outdated.push(older);
      fresh.set(key, { ...reading, visit: withKnown(reading.visit, page) });
    }
  }
  // What is fresh takes the place of the page that a repeated one is about.
  for (const [key, reading] of repeated) {
    if (!fresh.has(key)) continue;
    repeated.delete(key);
    outdated.push(reading);
  }
  return { fresh: [...fresh.values()], repeated: [...repeated.values()], outdated };
}

function dateOf({ visit }: GoodReading): number {
  return visit.fetchedAt.getTime();
}

function keyOf({ visit }: GoodReading): UrlKey {
  return { domainId: visit.lease.domainId, hash: visit.due.hash };
}

function isSameBody(page: KnownPage, { task }: GoodReading): boolean {
  return (
    page.segment_id !== null &&
    page.segment_id === task.segment_id &&
    page.segment_offset === task.segment_offset
  );
}

function withKnown(visit: Visit, page: KnownPage | undefined): Visit {
  if (page === undefined) return visit;
  const { known, errorCount } = toDueUrl({ ...page, url: visit.due.url });
  return { ...visit, due: { ...visit.due, known, errorCount } };
}
