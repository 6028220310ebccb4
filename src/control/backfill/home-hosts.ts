/** One transaction: rows of stray hosts go to their own domains, which are made where they are missing. */
import { registrableDomain } from '../../engine/frontier/canonical-domain.ts';
import type { Database } from '../../platform/database.ts';
import { textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { ERROR_OUTCOMES } from './error-outcomes.ts';
import { lockRows } from './lock-rows.ts';
import { moveRows, type RowMove } from './move-rows.ts';
import { type LogFigures, rebuildState } from './rebuilt-state.ts';
import { recountWithin } from './recount.ts';
import type { HomableHost } from './stray-rows.ts';
import type { Disagreement, Moved } from './tally.ts';
import { wakeWithWork } from './wake-with-work.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const readFigures = load('read-figures');
const insertDomains = load('insert-domains');
const insertRunDomains = load('insert-run-domains');
const joinQueues = load('join-queues');
const fenceDomains = load('fence-domains');

export interface Homing {
  readonly rebuilt: number;
  readonly moved: Partial<Moved>;
  /** Of domains that were there; one that was made had none to correct. */
  readonly corrected: readonly Disagreement[];
  readonly skipped: readonly HomableHost[];
}

export function homeHosts(
  db: Database,
  hosts: readonly HomableHost[],
  logSince: string | null,
): Promise<Homing> {
  return inTransaction(db, (tx) => homeWithin(tx, hosts, logSince));
}

async function homeWithin(
  tx: Transaction,
  hosts: readonly HomableHost[],
  logSince: string | null,
): Promise<Homing> {
  const sources = hosts.map(({ domainId }) => domainId);
  const names = hosts.map(({ home }) => home);
  const before = await lockRows(tx, sources, names);
  const leased = new Set(before.filter(({ isLeased }) => isLeased).map(({ id }) => id));
  const known = new Set(before.map(({ domain }) => domain));
  const free = hosts.filter(({ domainId }) => !leased.has(domainId));
  const madeIds = await makeDomains(
    tx,
    free.filter(({ home }) => !known.has(home)),
  );

  // Locked anew, those made among them: somebody else may have been the first to add a name.
  const targets = await lockRows(tx, [], names);
  const idOf = new Map(
    targets.flatMap(({ id, domain, isLeased }) => (isLeased ? [] : [[domain, id] as const])),
  );
  const moves = free.flatMap(({ domainId, host, home }): RowMove[] => {
    const toId = idOf.get(home);
    return toId === undefined || toId === domainId ? [] : [{ fromId: domainId, host, toId }];
  });
  const skipped = hosts.filter(({ domainId, home }) => leased.has(domainId) || !idOf.has(home));
  if (moves.length === 0) return { rebuilt: madeIds.length, moved: {}, corrected: [], skipped };

  const moved = await moveRows(tx, moves);
  const touched = [...new Set(moves.flatMap(({ fromId, toId }) => [fromId, toId]))];
  await tx.query(fenceDomains, [touched]);
  await tx.query(insertRunDomains, [madeIds, textArray(ERROR_OUTCOMES)]);
  await tx.query(joinQueues, [madeIds]);
  await wakeWithWork(tx, touched);
  const counted = await recountWithin(tx, touched, logSince);
  const corrected = counted.filter(({ id }) => !madeIds.includes(id));
  return { rebuilt: madeIds.length, moved, corrected, skipped };
}

interface Figures extends LogFigures {
  readonly name: string;
  readonly firstAt: string | null;
  readonly url: string;
}

/** Returns the ids of those that were made. */
async function makeDomains(tx: Transaction, hosts: readonly HomableHost[]): Promise<number[]> {
  if (hosts.length === 0) return [];
  const { rows } = await tx.query<Figures>(readFigures, [
    hosts.map(({ domainId }) => domainId),
    textArray(hosts.map(({ host }) => host)),
    textArray(hosts.map(({ home }) => home)),
  ]);
  const states = rows.map(rebuildState);
  const made = await tx.query<{ id: number }>(insertDomains, [
    textArray(rows.map(({ name }) => name)),
    textArray(rows.map(({ name }) => registrableDomain(name))),
    textArray(rows.map(({ name, url }) => (URL.canParse(url) ? new URL(url).origin : `https://${name}`))),
    textArray(states.map(({ status }) => status)),
    textArray(states.map(({ code }) => code)),
    textArray(states.map(({ reason }) => reason)),
    textArray(rows.map(({ firstAt }) => firstAt)),
    textArray(rows.map(({ lastAt }) => lastAt)),
    states.map(({ restMs }) => restMs ?? null),
  ]);
  return made.rows.map(({ id }) => id);
}
