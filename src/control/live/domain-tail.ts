/** Changes of state as they are committed. */
import type { LiveEvent } from '../../contract/live.ts';
import { type Database, prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { NumberedTail } from './numbered-tail.ts';

const statements = {
  readRows: prepared('read-moves', loadSql(import.meta.url, './read-moves.sql')),
  readLastNumbers: prepared('read-last-numbers', loadSql(import.meta.url, './read-last-numbers.sql')),
};

type DomainEvent = Extract<LiveEvent, { type: 'domain' }>;

export interface Move extends Omit<DomainEvent, 'type' | 'at' | 'nextCrawlAfter'> {
  readonly at: Date;
  readonly nextCrawlAfter: Date | null;
}

export function tailDomains(db: Database): NumberedTail<Move> {
  return new NumberedTail(db, statements);
}
