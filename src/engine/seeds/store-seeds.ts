/**
 * A batch of seeds into the standing order, in one transaction: rows for their domains (existing ones keep
 * their state), their URLs, ranks and scores. Storing the same batch again changes nothing, so whoever does not
 * know whether a batch was committed simply stores it again.
 */
import type { Database } from '../../platform/database.ts';
import { numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { admitUrls } from '../frontier/admit-urls.ts';
import { registrableDomain } from '../frontier/canonical-domain.ts';
import type { Seed } from '../frontier/seeds.ts';
import type { Candidate } from '../visit.ts';
import { findGoingDomains } from './going-domains.ts';

const addSeededDomains = loadSql(import.meta.url, './add-seeded-domains.sql');
const takeIntoStandingOrder = loadSql(import.meta.url, './take-into-standing-order.sql');
const explore = loadSql(import.meta.url, './explore-domains.sql');
const lowerRanks = loadSql(import.meta.url, './lower-ranks.sql');
const reprioritize = loadSql(import.meta.url, '../schedule/reprioritize.sql');
const lockDomains = loadSql(import.meta.url, '../frontier/lock-domains.sql');
const countDiscovered = loadSql(import.meta.url, '../frontier/count-discovered.sql');

export interface RankedSeed {
  readonly seed: Seed;
  readonly rank: number | undefined;
}

export interface SeedOrigin {
  /** Where new domains are said to come from. */
  readonly source: string;
  /** For new domains; the program's default when left out. */
  readonly maxPagesPerRun: number | undefined;
}

export interface StoredSeeds {
  readonly newIds: ReadonlySet<number>;
  /** All domains into which something was put, new or not. */
  readonly ids: readonly number[];
  /** By name: domains that are being removed, and by which job. Nothing was put into them. */
  readonly going: ReadonlyMap<string, number>;
  readonly newUrls: number;
}

export function storeSeeds(
  db: Pick<Database, 'pool'>,
  seeds: Iterable<RankedSeed>,
  origin: SeedOrigin,
): Promise<StoredSeeds> {
  return inTransaction(db, (tx) => storeSeedsWithin(tx, seeds, origin));
}

/** The same as part of something larger. */
export async function storeSeedsWithin(
  tx: Transaction,
  seeds: Iterable<RankedSeed>,
  origin: SeedOrigin,
): Promise<StoredSeeds> {
  const sites = groupBySite(seeds);
  const newIds = new Set<number>();
  const ids = new Map<string, number>();
  let missing: readonly Site[] = sites;
  // A domain that a backfill merges into another at this very moment is found under its name a moment later.
  for (let look = 1; missing.length > 0 && look <= MOST_LOOKS; look += 1) {
    for (const id of await addDomains(tx, missing, origin)) newIds.add(id);
    for (const { domain, id } of await lock(tx, missing)) ids.set(domain, id);
    missing = missing.filter(({ domain }) => !ids.has(domain));
  }
  const going = await leaveOutGoing(tx, ids);
  const old = [...ids.values()].filter((id) => !newIds.has(id));
  await tx.query(takeIntoStandingOrder, [old]);
  await tx.query(explore, [old]);
  const newUrls = await addUrls(tx, sites, ids, newIds);
  const known = sites.flatMap(({ domain, rank }) => {
    const id = ids.get(domain);
    return id === undefined || newIds.has(id) || rank === undefined ? [] : [{ id, rank }];
  });
  const raised = await tx.query<{ id: number }>(lowerRanks, [
    numberArray(known.map(({ id }) => id)),
    numberArray(known.map(({ rank }) => rank)),
  ]);
  // A rank counts from the first claim on.
  const ranked = [...newIds, ...raised.rows.map(({ id }) => id)];
  await tx.query(reprioritize, [numberArray(ranked), 0, ranked.length]);
  return { newIds, ids: [...ids.values()], going, newUrls };
}

/** Takes those out of `ids` that are being removed: what is put into them now would be lost without a word. */
async function leaveOutGoing(tx: Transaction, ids: Map<string, number>): Promise<Map<string, number>> {
  const jobs = await findGoingDomains(tx, [...ids.values()]);
  const going = new Map<string, number>();
  for (const [domain, id] of ids) {
    const jobId = jobs.get(id);
    if (jobId === undefined) continue;
    going.set(domain, jobId);
    ids.delete(domain);
  }
  return going;
}

const MOST_LOOKS = 5;

/** A statement of its own: what another transaction has just added is not visible to the one that had to wait. */
async function lock(tx: Transaction, sites: readonly Site[]): Promise<{ id: number; domain: string }[]> {
  const names = textArray(sites.map(({ domain }) => domain));
  return (await tx.query<{ id: number; domain: string }>(lockDomains, [names])).rows;
}

interface Site {
  readonly domain: string;
  readonly candidates: Map<string, Candidate>;
  rank: number | undefined;
}

/** Every page once, and every domain once with the best of its ranks. */
function groupBySite(seeds: Iterable<RankedSeed>): Site[] {
  const sites = new Map<string, Site>();
  for (const { seed, rank } of seeds) {
    const site = sites.get(seed.domain) ?? { domain: seed.domain, candidates: new Map(), rank };
    sites.set(seed.domain, site);
    site.candidates.set(seed.key, seed.candidate);
    if (rank !== undefined) site.rank = Math.min(rank, site.rank ?? rank);
  }
  return [...sites.values()];
}

async function addDomains(tx: Transaction, sites: readonly Site[], origin: SeedOrigin): Promise<Set<number>> {
  const added = await tx.query<{ id: number }>(addSeededDomains, [
    textArray(sites.map(({ domain }) => domain)),
    textArray(sites.map(({ domain }) => registrableDomain(domain))),
    textArray(sites.map(({ candidates }) => originOf(candidates))),
    origin.source,
    numberArray(sites.map(({ rank }) => rank)),
    numberArray(sites.map(({ candidates }) => candidates.size)),
    origin.maxPagesPerRun ?? null,
  ]);
  return new Set(added.rows.map(({ id }) => id));
}

function originOf(candidates: ReadonlyMap<string, Candidate>): string {
  const [first] = candidates.values();
  return first === undefined ? '' : new URL(first.url).origin;
}

async function addUrls(
  tx: Transaction,
  sites: readonly Site[],
  ids: ReadonlyMap<string, number>,
  newIds: ReadonlySet<number>,
): Promise<number> {
  const newcomers = sites.flatMap(({ domain, candidates }) => {
    const domainId = ids.get(domain);
    return domainId === undefined
      ? []
      : [...candidates.values()].map((candidate) => ({ domainId, candidate }));
  });
  const { addedByDomain, addedCount } = await admitUrls(tx, newcomers);
  // New domains came with their count.
  const grown = [...addedByDomain].filter(([id]) => !newIds.has(id));
  const counts = grown.map(([, count]) => count);
  await tx.query(countDiscovered, [grown.map(([id]) => id), counts, counts]);
  return addedCount;
}
