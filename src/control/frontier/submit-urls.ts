/**
 * URLs that somebody names: read, refused one by one with the reason, the rest stored. A domain's state is never
 * changed by it, and what was read already is not read again for it.
 */
import type { Seed } from '../../engine/frontier/seeds.ts';
import { readAllowedSeed } from '../../engine/seeds/read-seed-list.ts';
import { BATCH_SEEDS } from '../../engine/seeds/seed-load.ts';
import { type SeedOrigin, storeSeedsWithin } from '../../engine/seeds/store-seeds.ts';
import type { Database } from '../../platform/database.ts';
import { booleanArray, byteaArray, numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';

const raisePriorities = loadSql(import.meta.url, './raise-priorities.sql');
const findHeldBack = loadSql(import.meta.url, './find-held-back.sql');

const MOST_TOLD = 100;
const MOST_SHOWN_CHARS = 300;

export interface NamedUrl {
  readonly url: string;
  /** 3 high, 2 normal, 1 low. */
  readonly priority: number;
  /** Links from a seed. */
  readonly depth: number;
}

export interface SubmitOrder {
  readonly urls: readonly NamedUrl[];
  readonly isSeed: boolean;
  readonly rank?: number | undefined;
  readonly origin: SeedOrigin;
  readonly allowPrivate: boolean;
}

export interface RefusedUrl {
  readonly index: number;
  readonly url: string;
  readonly reason: string;
}

export interface HeldBackDomain {
  readonly domain: string;
  readonly why: 'inactive' | 'blocked' | 'unreachable' | 'resting' | 'other-run';
  readonly until: Date | null;
  readonly reason: string | null;
}

export interface SubmitReport {
  readonly accepted: number;
  readonly added: number;
  readonly known: number;
  /** Of the known ones, those that come sooner now. */
  readonly raised: number;
  readonly newDomains: number;
  readonly refusedCount: number;
  readonly refused: readonly RefusedUrl[];
  readonly heldBackCount: number;
  readonly heldBack: readonly HeldBackDomain[];
}

export async function submitUrls(db: Database, order: SubmitOrder, actor: Actor): Promise<SubmitReport> {
  const { seeds, refused, refusedCount } = readAll(order);
  const figures = { accepted: seeds.length, added: 0, raised: 0 };
  const ids = new Set<number>();
  const newIds = new Set<number>();
  // In portions, so that no domain is locked for long. Storing one again changes nothing: whoever does not know
  // whether all were stored submits them again.
  for (let at = 0; at < seeds.length; at += BATCH_SEEDS) {
    const portion = seeds.slice(at, at + BATCH_SEEDS);
    const isLast = at + BATCH_SEEDS >= seeds.length;
    const done = await inTransaction(db, async (tx) => {
      const ranked = portion.map((seed) => ({ seed, rank: order.rank }));
      const stored = await storeSeedsWithin(tx, ranked, order.origin);
      const raised = await raise(tx, portion);
      const added = figures.added + stored.newUrls;
      if (isLast) {
        const newDomains = new Set([...newIds, ...stored.newIds]).size;
        const action = order.isSeed ? 'frontier.seed' : 'frontier.add';
        await recordAct(tx, actor, action, undefined, {
          ...{
            accepted: seeds.length,
            added,
            newDomains,
            refused: refusedCount,
            first: seeds[0]?.candidate.url,
          },
        });
      }
      return { ...stored, raised };
    });
    figures.added += done.newUrls;
    figures.raised += done.raised;
    for (const id of done.ids) ids.add(id);
    for (const id of done.newIds) newIds.add(id);
  }
  return {
    ...figures,
    known: seeds.length - figures.added,
    newDomains: newIds.size,
    ...{ refusedCount, refused },
    ...(await readHeldBack(db, [...ids])),
  };
}

function readAll({ urls, isSeed, allowPrivate }: SubmitOrder) {
  const rules = { stripTrailingSlash: false, allowPrivate };
  const seeds: Seed[] = [];
  const refused: RefusedUrl[] = [];
  let refusedCount = 0;
  for (const [index, { url, priority, depth }] of urls.entries()) {
    const reading = readAllowedSeed(url, rules);
    if (reading.kind === 'ok') {
      const { seed } = reading;
      seeds.push({ ...seed, candidate: { ...seed.candidate, priority, depth, isSeed } });
      continue;
    }
    refusedCount += 1;
    if (refused.length < MOST_TOLD) {
      refused.push({ index, url: url.slice(0, MOST_SHOWN_CHARS), reason: reading.reason });
    }
  }
  return { seeds, refused, refusedCount };
}

/** Known ones that nobody has read yet come as soon as they were asked for now. */
async function raise(tx: Transaction, seeds: readonly Seed[]): Promise<number> {
  const { rowCount } = await tx.query(raisePriorities, [
    textArray(seeds.map(({ domain }) => domain)),
    byteaArray(seeds.map(({ candidate }) => candidate.hash)),
    numberArray(seeds.map(({ candidate }) => candidate.priority)),
    booleanArray(seeds.map(({ candidate }) => candidate.isSeed)),
  ]);
  return rowCount;
}

async function readHeldBack(db: Database, ids: readonly number[]) {
  const { rows } = await db.query<HeldBackDomain & { heldBackCount: number }>(findHeldBack, [
    numberArray(ids),
    MOST_TOLD,
  ]);
  return {
    heldBackCount: rows[0]?.heldBackCount ?? 0,
    heldBack: rows.map(({ domain, why, until, reason }) => ({ domain, why, until, reason })),
  };
}
