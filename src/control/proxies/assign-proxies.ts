/** Which proxies a domain uses. Everything here holds the row of the domain first. */
import { refuseIfGoing } from '../../engine/seeds/going-domains.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { numberArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { type DomainId, describeUnknown, findDomain } from '../domains/find-domain.ts';
import { type PairedProxy, readPair, unknownPair } from './pool.ts';
import { refuseToEmpty } from './refuse-loss.ts';
import { wakeDomain } from './wake-waiting.ts';

const assignProxiesSql = loadSql(import.meta.url, './assign-proxies.sql');
const findAssigned = loadSql(import.meta.url, './find-assigned.sql');
const changePairSql = loadSql(import.meta.url, './change-pair.sql');
const unassignProxySql = loadSql(import.meta.url, './unassign-proxy.sql');
const resetPairsSql = loadSql(import.meta.url, './reset-pairs.sql');
const countOut = loadSql(import.meta.url, './count-out.sql');
const holdDomainSql = loadSql(import.meta.url, './hold-domain.sql');

export interface Assignment {
  readonly priority?: number | undefined;
  /** Null: what the domain says. Undefined: as before. */
  readonly maxRequestsPerHour?: number | null | undefined;
}

export interface Assigned {
  readonly domain: string;
  readonly assigned: number;
  /** Were in the pool already. */
  readonly changed: number;
}

export async function assignProxies(
  db: Database,
  name: string,
  proxyIds: readonly number[],
  assignment: Assignment,
  actor: Actor,
): Promise<Assigned> {
  const found = await findDomain(db, name);
  return inTransaction(db, async (tx) => {
    await holdDomain(tx, found);
    return { domain: found.domain, ...(await assignHeld(tx, found, proxyIds, assignment, actor)) };
  });
}

/** Holds the domain, and returns what assigns proxies to it: they may be made in between. */
export async function assignWithin(
  tx: Transaction,
  domain: DomainId,
  assignment: Assignment,
  actor: Actor,
): Promise<(proxyIds: readonly number[]) => Promise<Omit<Assigned, 'domain'>>> {
  await holdDomain(tx, domain);
  return (proxyIds) => assignHeld(tx, domain, proxyIds, assignment, actor);
}

async function assignHeld(
  tx: Transaction,
  { id, domain }: DomainId,
  proxyIds: readonly number[],
  { priority, maxRequestsPerHour }: Assignment,
  actor: Actor,
): Promise<Omit<Assigned, 'domain'>> {
  const wanted = [...new Set(proxyIds)].sort((a, b) => a - b);
  const { rows } = await tx.query<{ id: number; isAssigned: boolean }>(findAssigned, [
    id,
    numberArray(wanted),
  ]);
  const known = new Set(rows.map((row) => row.id));
  const missing = wanted.filter((one) => !known.has(one));
  if (missing.length > 0) {
    throw new ForagerError(
      'unknown-proxy',
      `There is no proxy ${missing.slice(0, 20).join(', ')}; nothing was assigned.`,
      {
        hint: '"forager proxy list" shows those that there are',
      },
    );
  }
  await tx.query(assignProxiesSql, [
    ...[id, numberArray(wanted), priority ?? null],
    ...[maxRequestsPerHour ?? null, maxRequestsPerHour !== undefined],
  ]);
  await wakeDomain(tx, id);
  await recordAct(tx, actor, 'proxy.assign', domain, { proxyIds: wanted, priority, maxRequestsPerHour });
  const changed = rows.filter(({ isAssigned }) => isAssigned).length;
  return { assigned: wanted.length - changed, changed };
}

export interface PairChanges extends Assignment {
  readonly isActive?: boolean | undefined;
}

export async function changePair(
  db: Database,
  name: string,
  proxyId: number,
  changes: PairChanges,
  actor: Actor,
): Promise<PairedProxy> {
  const found = await findDomain(db, name);
  return inTransaction(db, async (tx) => {
    await holdDomain(tx, found);
    const { rowCount } = await tx.query(changePairSql, [
      found.id,
      proxyId,
      JSON.stringify(changes),
      actor.name,
    ]);
    if (rowCount === 0) throw unknownPair(found.domain, proxyId);
    if (changes.isActive !== false) await wakeDomain(tx, found.id);
    await recordAct(tx, actor, 'proxy.pair', found.domain, { proxyId, ...changes });
    return readPair(tx, found, proxyId);
  });
}

export async function unassignProxy(
  db: Database,
  name: string,
  proxyId: number,
  isConfirmed: boolean,
  actor: Actor,
): Promise<void> {
  const found = await findDomain(db, name);
  await inTransaction(db, async (tx) => {
    await holdDomain(tx, found);
    if (!isConfirmed) await refuseToEmpty(tx, proxyId, found.id);
    const { rowCount } = await tx.query(unassignProxySql, [found.id, proxyId]);
    if (rowCount === 0) throw unknownPair(found.domain, proxyId);
    // One whose pool is gone may go another way now.
    await wakeDomain(tx, found.id);
    await recordAct(tx, actor, 'proxy.unassign', found.domain, { proxyId });
  });
}

export interface PoolReset {
  readonly domain: string;
  readonly reset: number;
  readonly stillOut: number;
}

/** `proxyId` undefined: all that the domain has anything to do with. */
export async function resetPool(
  db: Database,
  name: string,
  proxyId: number | undefined,
  actor: Actor,
): Promise<PoolReset> {
  const found = await findDomain(db, name);
  return inTransaction(db, async (tx) => {
    await holdDomain(tx, found);
    if (proxyId !== undefined) await readPair(tx, found, proxyId);
    const { rowCount: reset } = await tx.query(resetPairsSql, [found.id, proxyId ?? null]);
    await wakeDomain(tx, found.id);
    await recordAct(tx, actor, 'proxy.reset', found.domain, { proxyId });
    const [out] = (await tx.query<{ count: number }>(countOut, [found.id, proxyId ?? null])).rows;
    return { domain: found.domain, reset, stillOut: out?.count ?? 0 };
  });
}

async function holdDomain(tx: Transaction, { id, domain }: DomainId): Promise<void> {
  if ((await tx.query(holdDomainSql, [id])).rows.length === 0) throw await describeUnknown(tx, domain);
  await refuseIfGoing(tx, id, domain);
}
