/**
 * The pass over rows: what hangs on a domain that has no row any more, or on one that is not its URL's, is found by
 * the hosts the rows speak of, and hung on its own domain.
 */
import { canonicalDomain } from '../../engine/frontier/canonical-domain.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { BackfillContext } from './backfill.ts';
import { homeHosts } from './home-hosts.ts';
import { cutByWeight, eachPortion } from './portions.ts';
import { findTakenNames } from './taken-names.ts';
import { addMoved, noteDisagreements } from './tally.ts';

const readHosts = loadSql(import.meta.url, './read-hosts.sql');

interface HostRow {
  readonly domainId: number;
  /** Null: the domain has no row. */
  readonly domain: string | null;
  readonly isLeased: boolean;
  readonly host: string;
  readonly urls: number;
  readonly pages: number;
  readonly fetches: number;
}

export interface StrayHost extends HostRow {
  /** The domain its rows belong to; undefined: no web host can be made of it, so they stay. */
  readonly home: string | undefined;
}

export type HomableHost = StrayHost & { readonly home: string };

export async function* eachStrayHost(
  context: Pick<BackfillContext, 'db' | 'size' | 'signal' | 'reached'>,
): AsyncGenerator<StrayHost[]> {
  for await (const { after, upto } of eachPortion(context.db, context.size, context.signal)) {
    const { rows } = await context.db.query<HostRow>(readHosts, [after, upto]);
    const strays = rows
      .map((row) => ({ ...row, home: canonicalDomain(`http://${row.host}`) }))
      .filter(
        ({ domain, home }) => domain === null || (home !== undefined && canonicalDomain(domain) !== home),
      );
    if (strays.length > 0) yield strays;
    context.reached(upto);
  }
}

export async function homeStrayRows(context: BackfillContext): Promise<void> {
  const { db, size, signal, tally } = context;
  for await (const strays of eachStrayHost(context)) {
    for (const part of cutByWeight(withHome(strays, tally.nameless), size, weigh)) {
      signal?.throwIfAborted();
      const done = await homeHosts(db, part, context.logSince);
      tally.rebuilt += done.rebuilt;
      addMoved(tally, done.moved);
      noteDisagreements(tally, done.corrected);
      for (const { domainId, home } of done.skipped) tally.skipped.set(domainId, home);
    }
  }
}

/** The same without doing it. */
export async function planStrayRows(context: BackfillContext): Promise<void> {
  const { db, tally } = context;
  const promised = new Set<string>();
  for await (const strays of eachStrayHost(context)) {
    const homable = withHome(strays, tally.nameless);
    const taken = await findTakenNames(
      db,
      homable.map(({ home }) => home),
    );
    for (const { domainId, home, isLeased, urls, pages, fetches } of homable) {
      if (isLeased || taken.get(home) === true) {
        tally.skipped.set(domainId, home);
        continue;
      }
      if (!taken.has(home) && !promised.has(home)) tally.rebuilt += 1;
      promised.add(home);
      addMoved(tally, { urls, pages, fetches });
    }
  }
}

function withHome(strays: readonly StrayHost[], nameless: Set<string>): HomableHost[] {
  return strays.flatMap((stray) => {
    if (stray.home !== undefined) return [{ ...stray, home: stray.home }];
    nameless.add(stray.host);
    return [];
  });
}

function weigh({ urls, pages, fetches }: StrayHost): number {
  return urls + pages + fetches;
}
