/**
 * Domains that gave up their turn because there was no proxy for them (`no_proxy`) look again as soon as something
 * could help, in the transaction of whatever that is. A domain that somebody is at is left alone: whoever has it sees
 * for himself.
 *
 * Locks: domains before proxies. The domains of a pool are locked first, so that nobody begins to wait meanwhile; of
 * those that use the shared proxies there may be any number, and they are only taken where nobody has them.
 */
import { numberArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';

const lockDomainsOfProxy = loadSql(import.meta.url, './lock-domains-of-proxy.sql');
const wakeWaiting = loadSql(import.meta.url, './wake-waiting.sql');
const wakeDomainSql = loadSql(import.meta.url, './wake-domain.sql');

/** `all`: also those that have only met it. */
export async function lockDomainsOf(tx: Transaction, proxyId: number, all = false): Promise<void> {
  await tx.query(lockDomainsOfProxy, [proxyId, all]);
}

/** `hasShared`: one of the proxies is for everybody. */
export async function wakeDomainsFor(
  tx: Transaction,
  proxyIds: readonly number[],
  hasShared: boolean,
): Promise<void> {
  await tx.query(wakeWaiting, [numberArray(proxyIds), hasShared]);
}

/** Of a locked domain. */
export async function wakeDomain(tx: Transaction, domainId: number): Promise<void> {
  await tx.query(wakeDomainSql, [domainId]);
}
