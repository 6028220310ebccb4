/** What needs attention, and what did. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Severity } from './rule.ts';

const listAlertsSql = loadSql(import.meta.url, './list-alerts.sql');

export interface AlertRow {
  readonly id: number;
  readonly code: string;
  readonly subject: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string | null;
  readonly raisedAt: Date;
  readonly lastSeenAt: Date;
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedBy: string | null;
  readonly resolvedAt: Date | null;
}

export interface AlertFilter {
  /** Those with lower numbers. */
  readonly below?: number | undefined;
  readonly isOpen: boolean;
  readonly severity?: Severity | undefined;
}

export async function listAlerts(db: Database, filter: AlertFilter, limit: number): Promise<AlertRow[]> {
  const values = [filter.below ?? null, filter.isOpen, filter.severity ?? null, limit];
  return (await db.query<AlertRow>(listAlertsSql, values)).rows;
}
