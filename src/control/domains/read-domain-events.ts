/** What became of a domain, move by move. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { DomainStatus } from './list-domains.ts';

const readEvents = loadSql(import.meta.url, './read-domain-events.sql');
const pageEvents = loadSql(import.meta.url, './page-domain-events.sql');

export interface DomainEvent {
  readonly at: Date;
  readonly from: DomainStatus;
  readonly to: DomainStatus;
  readonly code: string;
  /** What the code means for this move. */
  readonly meaning: string | null;
  readonly reason: string | null;
  /** A worker, or `person:` and a name. */
  readonly actor: string | null;
  readonly run: number | null;
  readonly restsUntil: Date | null;
}

/** The newest first. */
export async function readDomainEvents(db: Database, id: number, limit: number): Promise<DomainEvent[]> {
  return (await db.query<DomainEvent>(readEvents, [id, limit])).rows;
}

export async function pageDomainEvents(
  db: Database,
  id: number,
  before: number | undefined,
  limit: number,
): Promise<(DomainEvent & { readonly id: number })[]> {
  return (await db.query<DomainEvent & { id: number }>(pageEvents, [id, before ?? null, limit])).rows;
}
