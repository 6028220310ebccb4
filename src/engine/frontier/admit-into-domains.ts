/**
 * URLs for domains we do not hold, seeds and links into other domains: rows for the domains (existing ones
 * keep their state), their place in the run, their URLs and their discovered counters.
 */

import type { Database } from '../../platform/database.ts';
import { textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { STANDING_RUN } from '../run/standing-run.ts';
import { describeGoing, findGoingDomains } from '../seeds/going-domains.ts';
import type { Candidate } from '../visit.ts';
import { admitUrls, discoveredRows } from './admit-urls.ts';
import { registrableDomain } from './canonical-domain.ts';

const upsertDomains = loadSql(import.meta.url, './upsert-domains.sql');
const lockDomains = loadSql(import.meta.url, './lock-domains.sql');
const attachDomains = loadSql(import.meta.url, './attach-domains.sql');
const explore = loadSql(import.meta.url, '../seeds/explore-domains.sql');
const haveOwnPages = loadSql(import.meta.url, './have-own-pages.sql');
const countDiscovered = loadSql(import.meta.url, './count-discovered.sql');

export async function admitIntoDomains(
  db: Database,
  runId: number,
  byDomain: ReadonlyMap<string, readonly Candidate[]>,
  source: string,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const ids = await ensureDomains(tx, byDomain, source);
    // A link goes with the domain it leads to; what a person names must not be lost without a word.
    if (source === 'seed') {
      await refuseGoing(tx, ids);
      await tx.query(explore, [[...ids.values()]]);
    }
    await noteOwnPages(tx, byDomain, ids, source);
    // The standing order needs no list of its domains: whatever no other run is at work on belongs to it.
    if (runId !== STANDING_RUN) {
      await tx.query(attachDomains, [
        runId,
        [...ids.values()],
        [...ids.keys()].map((domain) => byDomain.get(domain)?.some(({ isSeed }) => isSeed) ?? false),
      ]);
    }
    const newcomers = [...byDomain].flatMap(([domain, candidates]) => {
      const domainId = ids.get(domain);
      return domainId === undefined ? [] : candidates.map((candidate) => ({ domainId, candidate }));
    });
    const admitted = await admitUrls(tx, newcomers);
    await tx.query(countDiscovered, discoveredRows(admitted));
    return admitted.addedCount;
  });
}

/** One that was there for images alone is not any more. */
async function noteOwnPages(
  tx: Transaction,
  byDomain: ReadonlyMap<string, readonly Candidate[]>,
  ids: ReadonlyMap<string, number>,
  source: string,
): Promise<void> {
  const withPages = [...ids].filter(([domain]) => !hasOnlyImages(byDomain.get(domain)));
  if (withPages.length > 0) await tx.query(haveOwnPages, [withPages.map(([, id]) => id), source]);
}

function hasOnlyImages(candidates: readonly Candidate[] | undefined): boolean {
  return candidates?.every(({ isImage }) => isImage === true) ?? false;
}

async function refuseGoing(tx: Transaction, ids: ReadonlyMap<string, number>): Promise<void> {
  const jobs = await findGoingDomains(tx, [...ids.values()]);
  for (const [domain, id] of ids) {
    const jobId = jobs.get(id);
    if (jobId !== undefined) throw describeGoing(domain, jobId);
  }
}

const MOST_LOOKS = 5;

/** A row for every named domain, locked; existing ones keep their state. */
async function ensureDomains(
  tx: Transaction,
  foreign: ReadonlyMap<string, readonly Candidate[]>,
  source: string,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  // A row found by the first statement may be gone when the second one gets to it: a backfill has merged it into
  // another that has its name now. Looking again finds that one; its URLs must not be dropped.
  let missing = [...foreign.keys()];
  for (let look = 1; missing.length > 0 && look <= MOST_LOOKS; look += 1) {
    await tx.query(upsertDomains, [
      textArray(missing),
      textArray(missing.map(registrableDomain)),
      textArray(missing.map((name) => originOf(foreign.get(name)?.[0]?.url) ?? `https://${name}`)),
      textArray(missing.map((name) => (hasOnlyImages(foreign.get(name)) ? 'image' : source))),
    ]);
    // A statement of its own: what another transaction has just added is not visible to the one that had to wait.
    const result = await tx.query<{ id: number; domain: string }>(lockDomains, [textArray(missing)]);
    for (const row of result.rows) ids.set(row.domain, row.id);
    missing = missing.filter((name) => !ids.has(name));
  }
  return ids;
}

function originOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).origin;
}
