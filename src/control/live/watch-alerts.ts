/** Alerts that are raised, acknowledged and resolved. */
import type { LiveEvent } from '../../contract/live.ts';
import { type Database, prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { ListWatch, type Watch } from './watch.ts';

const statement = prepared('watched-alerts', loadSql(import.meta.url, './watched-alerts.sql'));

type AlertEvent = Extract<LiveEvent, { type: 'alert' }>;

interface AlertRow extends Pick<AlertEvent, 'id' | 'code' | 'subject' | 'severity' | 'message'> {
  readonly raisedAt: Date;
  readonly acknowledgedAt: Date | null;
  readonly resolvedAt: Date | null;
}

export function watchAlerts(db: Database): Watch {
  return new ListWatch<AlertRow>(db, { statement, isOver: (row) => row.resolvedAt !== null, tell });
}

/** All that happened to it since, in order. */
function tell(row: AlertRow, before: AlertRow | undefined): AlertEvent[] {
  const { raisedAt, acknowledgedAt, resolvedAt, ...alert } = row;
  const event = (change: AlertEvent['change'], at: Date): AlertEvent => {
    return { type: 'alert', change, ...alert, at: at.toISOString() };
  };
  const isAcknowledged = acknowledgedAt !== null && (before?.acknowledgedAt ?? null) === null;
  return [
    ...(before === undefined ? [event('raised', raisedAt)] : []),
    ...(isAcknowledged ? [event('acknowledged', acknowledgedAt)] : []),
    ...(resolvedAt === null ? [] : [event('resolved', resolvedAt)]),
  ];
}
