/** Taking a domain away from whoever is at it, so that something can be done with it. */
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import type { DomainStatus } from './list-domains.ts';

const lockDomain = loadSql(import.meta.url, './lock-domain.sql');
const fence = loadSql(import.meta.url, './fence-domain.sql');

/** A worker notices that it was fenced out when it next writes or looks at its leases, every five seconds. */
const TIME_TO_NOTICE_MS = 10_000;

/** How long requests of a worker that was fenced out may still be under way. */
export function restAfterFence(requestTimeoutMs: number): number {
  return requestTimeoutMs + TIME_TO_NOTICE_MS;
}

export interface LockedDomain {
  readonly status: DomainStatus;
  readonly reason: string | null;
  readonly reasonCode: string | null;
  /** Also when the lease has run out: whoever let it may still be speaking to the site. */
  readonly claimedBy: string | null;
  readonly isClaimed: boolean;
  readonly isActive: boolean;
  /** Nobody claims it before this; null: it may be claimed now. */
  readonly restsUntil: Date | null;
}

/** Held against changes until the end of the transaction; undefined: it has just been deleted. */
export async function lockDomainRow(tx: Transaction, id: number): Promise<LockedDomain | undefined> {
  return (await tx.query<LockedDomain>(lockDomain, [id])).rows[0];
}

/** Of a locked domain; the time until which it rests, or null when nobody held it. */
export async function fenceDomain(tx: Transaction, id: number, restMs: number): Promise<Date | null> {
  const { rows } = await tx.query<{ restsUntil: Date }>(fence, [id, restMs]);
  return rows[0]?.restsUntil ?? null;
}
