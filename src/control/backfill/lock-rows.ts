/** Rows of domains held for a portion, and the reason it gives for what becomes of them. */
import { textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import type { StateRow } from './merged-state.ts';

const lockStatement = loadSql(import.meta.url, './lock-rows.sql');

export interface LockedRow extends StateRow {
  readonly domain: string;
  readonly baseUrl: string;
  readonly firstSeenAt: Date;
  readonly isLeased: boolean;
}

export async function lockRows(
  tx: Transaction,
  ids: Iterable<number>,
  names: Iterable<string>,
): Promise<LockedRow[]> {
  const { rows } = await tx.query<LockedRow>(lockStatement, [[...ids], textArray([...names])]);
  return rows;
}

/** Who moved a domain to another state, and why, for its history. */
export async function sayWhy(tx: Transaction, reason: string): Promise<void> {
  await tx.query(
    "select set_config('forager.actor', 'db backfill', true), set_config('forager.reason', $1, true)",
    [reason],
  );
}
