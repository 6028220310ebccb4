/** Single errors, the latest first. */
import type { ErrorCategoryName } from '../../contract/errors.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findDomain } from '../domains/find-domain.ts';

const listErrorsSql = loadSql(import.meta.url, './list-errors.sql');

export interface ErrorFilter {
  readonly category?: ErrorCategoryName | undefined;
  /** Its name in any spelling. */
  readonly domain?: string | undefined;
  readonly taskId?: number | undefined;
  readonly code?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

export interface ErrorLine {
  readonly id: number;
  readonly occurredAt: Date;
  readonly category: ErrorCategoryName;
  readonly code: string;
  readonly message: string;
  readonly stack: string | null;
  readonly domain: string | null;
  readonly url: string;
  readonly taskId: number | null;
  readonly httpStatus: number | null;
  readonly attempt: number;
  readonly workerId: string | null;
  /** To the microsecond, which a Date is not: for whoever asks for what came before. */
  readonly atText: string;
}

export interface ErrorPosition {
  readonly atText: string;
  readonly id: number;
}

export async function listErrors(
  db: Database,
  { category, domain, taskId, code, since, until }: ErrorFilter,
  before: ErrorPosition | undefined,
  limit: number,
): Promise<ErrorLine[]> {
  const domainId = domain === undefined ? null : (await findDomain(db, domain)).id;
  const values = [
    ...[category ?? null, domainId, taskId ?? null, code ?? null, since ?? null, until ?? null],
    ...[before?.atText ?? null, before?.id ?? null, limit],
  ];
  return (await db.query<ErrorLine>(listErrorsSql, values)).rows;
}
