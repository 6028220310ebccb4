/** Switching a domain off and on. One that is off is never claimed, whatever its state. */
import { refuseIfGoing } from '../../engine/seeds/going-domains.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { fenceDomain, lockDomainRow } from './fence-domain.ts';
import { type DomainId, describeUnknown, findDomain } from './find-domain.ts';

const setActive = loadSql(import.meta.url, './switch-domain.sql');

export interface SwitchReport {
  readonly domain: string;
  readonly isActive: boolean;
  readonly wasActive: boolean;
  /** Had it, and can write nothing more about it. */
  readonly fencedWorker: string | null;
  readonly restsUntil: Date | null;
}

export async function activateDomain(db: Database, name: string, actor: Actor): Promise<SwitchReport> {
  const found = await findDomain(db, name);
  return inTransaction(db, async (tx) => {
    const before = await lockDomainRow(tx, found.id);
    if (before === undefined) throw await describeUnknown(tx, found.domain);
    await refuseIfGoing(tx, found.id, found.domain);
    await tx.query(setActive, [found.id, true]);
    const { isActive: wasActive, restsUntil } = before;
    await recordAct(tx, actor, 'domain.activate', found.domain, { wasActive });
    return { domain: found.domain, isActive: true, wasActive, fencedWorker: null, restsUntil };
  });
}

/** Work on it ends: its holder is fenced out, and learns of it at its next commit or within seconds. */
export async function deactivateDomain(
  db: Database,
  name: string,
  restMs: number,
  actor: Actor,
): Promise<SwitchReport> {
  const found = await findDomain(db, name);
  return inTransaction(db, async (tx) => {
    const report = await deactivateWithin(tx, found, restMs);
    if (report === undefined) throw await describeUnknown(tx, found.domain);
    const { wasActive, fencedWorker } = report;
    await recordAct(tx, actor, 'domain.deactivate', found.domain, { wasActive, fencedWorker });
    return report;
  });
}

/** Undefined: it has just been deleted. */
export async function deactivateWithin(
  tx: Transaction,
  { id, domain }: DomainId,
  restMs: number,
): Promise<SwitchReport | undefined> {
  const before = await lockDomainRow(tx, id);
  if (before === undefined) return undefined;
  await tx.query(setActive, [id, false]);
  const restsUntil = (await fenceDomain(tx, id, restMs)) ?? before.restsUntil;
  return {
    domain,
    isActive: false,
    wasActive: before.isActive,
    fencedWorker: before.isClaimed ? before.claimedBy : null,
    restsUntil,
  };
}
