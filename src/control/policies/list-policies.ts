/** Lists of standing orders, a page at a time. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findDomain } from '../domains/find-domain.ts';
import type { Policy } from './policy.ts';

const byNumber = {
  asc: loadSql(import.meta.url, './list-policies-oldest.sql'),
  desc: loadSql(import.meta.url, './list-policies-newest.sql'),
};
const byNextRun = {
  asc: loadSql(import.meta.url, './list-policies-due-first.sql'),
  desc: loadSql(import.meta.url, './list-policies-due-last.sql'),
};

export type Order = 'asc' | 'desc';

export interface PolicyFilter {
  readonly domain?: string | undefined;
  readonly isEnabled?: boolean | undefined;
  readonly isFailing?: boolean | undefined;
  readonly isRunning?: boolean | undefined;
  readonly executor?: 'forager' | 'bot' | undefined;
  readonly search?: string | undefined;
}

export async function listPolicies(
  db: Database,
  filter: PolicyFilter,
  order: Order,
  after: number | undefined,
  limit: number,
): Promise<Policy[]> {
  const values = [...(await filterValues(db, filter)), after ?? null, limit];
  return (await db.query<Policy>(byNumber[order], values)).rows;
}

/** `place` is the time to the microsecond: where the next page begins. */
export type PlacedPolicy = Policy & { readonly place: string };

export async function listPoliciesByNextRun(
  db: Database,
  filter: PolicyFilter,
  order: Order,
  after: { readonly place: string; readonly id: number } | undefined,
  limit: number,
): Promise<PlacedPolicy[]> {
  const values = [...(await filterValues(db, filter)), after?.place ?? null, after?.id ?? null, limit];
  return (await db.query<PlacedPolicy>(byNextRun[order], values)).rows;
}

async function filterValues(db: Database, filter: PolicyFilter): Promise<unknown[]> {
  const { domain, isEnabled, isFailing, isRunning, executor, search } = filter;
  const domainId = domain === undefined ? null : (await findDomain(db, domain)).id;
  return [domainId, ...[isEnabled, isFailing, isRunning, executor, search].map((value) => value ?? null)];
}
