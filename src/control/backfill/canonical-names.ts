/** The pass over names: a domain whose name is not canonical is merged with the one that is meant, or renamed. */
import { canonicalDomain } from '../../engine/frontier/canonical-domain.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { BackfillContext } from './backfill.ts';
import { mergeDomains } from './merge-domains.ts';
import { cutByWeight } from './portions.ts';
import { findTakenNames } from './taken-names.ts';
import { addMoved, noteDisagreements } from './tally.ts';

const readNames = loadSql(import.meta.url, './read-names.sql');

export interface Misnamed {
  readonly id: number;
  readonly domain: string;
  /** Undefined: no web host can be made of it. */
  readonly canonical: string | undefined;
  readonly weight: number;
  readonly isLeased: boolean;
}

export async function* eachMisnamed(
  context: Pick<BackfillContext, 'db' | 'size' | 'signal' | 'reached'>,
): AsyncGenerator<Misnamed[]> {
  for (let after = 0; ; ) {
    context.signal?.throwIfAborted();
    const { rows } = await context.db.query<Omit<Misnamed, 'canonical'>>(readNames, [
      after,
      context.size.domains,
    ]);
    const misnamed = rows
      .map((row) => ({ ...row, canonical: canonicalDomain(row.domain) }))
      .filter(({ domain, canonical }) => domain !== canonical);
    if (misnamed.length > 0) yield misnamed;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    context.reached(after);
  }
}

export async function mergeMisnamed(context: BackfillContext): Promise<void> {
  const { db, size, signal, tally } = context;
  for await (const misnamed of eachMisnamed(context)) {
    for (const part of cutByWeight(withName(misnamed, tally.nameless), size, ({ weight }) => weight)) {
      signal?.throwIfAborted();
      const done = await mergeDomains(db, part, context.logSince);
      tally.merged += done.merged;
      tally.renamed += done.renamed;
      addMoved(tally, done.moved);
      noteDisagreements(tally, done.corrected);
      for (const { id, domain } of done.skipped) tally.skipped.set(id, domain);
    }
  }
}

/** The same without doing it. */
export async function planMisnamed(context: BackfillContext): Promise<void> {
  const { db, tally } = context;
  const promised = new Set<string>();
  for await (const misnamed of eachMisnamed(context)) {
    const named = withName(misnamed, tally.nameless);
    const taken = await findTakenNames(
      db,
      named.map(({ canonical }) => canonical),
    );
    for (const { id, domain, canonical, isLeased } of named) {
      if (isLeased || taken.get(canonical) === true) {
        tally.skipped.set(id, domain);
        continue;
      }
      if (taken.has(canonical) || promised.has(canonical)) tally.merged += 1;
      else tally.renamed += 1;
      promised.add(canonical);
    }
  }
}

export type Renaming = Misnamed & { readonly canonical: string };

/** A name no host can be made of stays, and is told: nobody knows what was meant. */
function withName(misnamed: readonly Misnamed[], nameless: Set<string>): Renaming[] {
  return misnamed.flatMap((row) => {
    if (row.canonical !== undefined) return [{ ...row, canonical: row.canonical }];
    nameless.add(row.domain);
    return [];
  });
}
