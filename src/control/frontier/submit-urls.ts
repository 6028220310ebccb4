/**
 * URLs that somebody names: read, refused one by one with the reason, the rest stored. A domain's state is never
 * changed by it, and what was read already is not read again for it.
 */

import { reasonOfGoing } from '../../engine/seeds/going-domains.ts';
import type { PrivateRule } from '../../engine/seeds/read-seed-list.ts';
import { BATCH_SEEDS } from '../../engine/seeds/seed-load.ts';
import { type SeedOrigin, storeSeedsWithin } from '../../engine/seeds/store-seeds.ts';
import type { Database } from '../../platform/database.ts';
import { booleanArray, byteaArray, numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import {
  MOST_TOLD,
  type NamedUrl,
  type ReadUrl,
  type RefusedUrl,
  readNamedUrls,
  refuse,
} from './read-named-urls.ts';

const raisePriorities = loadSql(import.meta.url, './raise-priorities.sql');
const findHeldBack = loadSql(import.meta.url, './find-held-back.sql');

export interface SubmitOrder {
  readonly urls: readonly NamedUrl[];
  readonly isSeed: boolean;
  readonly rank?: number | undefined;
  readonly origin: SeedOrigin;
  readonly allowPrivate: PrivateRule;
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
  const { read, refused, refusedCount } = await readNamedUrls(order.urls, order);
  const figures = { accepted: 0, added: 0, raised: 0 };
  const ids = new Set<number>();
  const newIds = new Set<number>();
  const gone: RefusedUrl[] = [];
  const parts = Math.ceil(read.length / BATCH_SEEDS);
  // In portions, so that no domain is locked for long. Storing one again changes nothing: whoever does not know
  // whether all were stored submits them again. Each portion has its own record: what is committed is told.
  for (let part = 1; part <= parts; part += 1) {
    const portion = read.slice((part - 1) * BATCH_SEEDS, part * BATCH_SEEDS);
    const asked = {
      ...{ asked: order.urls.length, refused: refusedCount, first: read[0]?.seed.candidate.url },
    };
    const done = await inTransaction(db, async (tx) => {
      const stored = await storePortion(tx, portion, order);
      await recordAct(tx, actor, order.isSeed ? 'frontier.seed' : 'frontier.add', undefined, {
        ...(part === 1 ? asked : {}),
        ...(parts === 1 ? {} : { part, parts }),
        ...{ accepted: stored.accepted, added: stored.newUrls, newDomains: stored.newIds.size },
      });
      return stored;
    });
    figures.accepted += done.accepted;
    figures.added += done.newUrls;
    figures.raised += done.raised;
    gone.push(...done.gone);
    for (const id of done.ids) ids.add(id);
    for (const id of done.newIds) newIds.add(id);
  }
  return {
    ...figures,
    known: figures.accepted - figures.added,
    newDomains: newIds.size,
    refusedCount: refusedCount + gone.length,
    refused: [...refused, ...gone].sort((a, b) => a.index - b.index).slice(0, MOST_TOLD),
    ...(await readHeldBack(db, [...ids])),
  };
}

async function storePortion(tx: Transaction, portion: readonly ReadUrl[], { rank, origin }: SubmitOrder) {
  const stored = await storeSeedsWithin(
    tx,
    portion.map(({ seed }) => ({ seed, rank })),
    origin,
  );
  const taken = portion.filter(({ seed }) => !stored.going.has(seed.domain));
  const gone = portion.flatMap(({ index, text, seed }) => {
    const jobId = stored.going.get(seed.domain);
    return jobId === undefined ? [] : [refuse(index, text, reasonOfGoing(jobId))];
  });
  return { ...stored, accepted: taken.length, gone, raised: await raise(tx, taken) };
}

/** Known ones that nobody has read yet come as soon as they were asked for now. */
async function raise(tx: Transaction, taken: readonly ReadUrl[]): Promise<number> {
  const seeds = taken.map(({ seed }) => seed);
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
