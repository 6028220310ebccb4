/** Reading what people with power did. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';

const listAuditSql = loadSql(import.meta.url, './list-audit.sql');

export interface AuditEntry {
  readonly id: number;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly address: string | null;
  readonly requestId: string | null;
  /** To the microsecond, which a Date is not: for whoever asks for what came before. */
  readonly atText: string;
}

export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

export interface AuditPosition {
  readonly atText: string;
  readonly id: number;
}

/** The latest first, those before the given one. */
export async function listAudit(
  db: Database,
  { actor, action, since, until }: AuditFilter,
  before: AuditPosition | undefined,
  limit: number,
): Promise<AuditEntry[]> {
  const values = [
    ...[actor ?? null, action ?? null, since ?? null, until ?? null],
    ...[before?.atText ?? null, before?.id ?? null, limit],
  ];
  return (await db.query<AuditEntry>(listAuditSql, values)).rows;
}
