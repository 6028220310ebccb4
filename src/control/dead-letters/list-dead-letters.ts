/** Work that was given up. */
import type { Database, Queryable } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findDomain } from '../domains/find-domain.ts';

const listDeadLettersSql = loadSql(import.meta.url, './list-dead-letters.sql');
const readDeadLetterSql = loadSql(import.meta.url, './read-dead-letter.sql');

export interface DeadLetter {
  readonly id: number;
  readonly queue: string;
  readonly reason: string;
  /** Null: a message that nobody could understand. */
  readonly taskId: number | null;
  readonly domain: string | null;
  readonly url: string | null;
  readonly taskStatus: string | null;
  readonly retryCount: number | null;
  readonly payload: unknown;
  readonly createdAt: Date;
  readonly requeuedAt: Date | null;
  readonly requeuedBy: string | null;
}

export interface DeadLetterFilter {
  readonly queue?: string | undefined;
  /** Its name in any spelling. */
  readonly domain?: string | undefined;
}

/** Those that nobody has dealt with, the latest first, with numbers below the given one. */
export async function listDeadLetters(
  db: Database,
  { queue, domain }: DeadLetterFilter,
  below: number | undefined,
  limit: number,
): Promise<DeadLetter[]> {
  const domainId = domain === undefined ? null : (await findDomain(db, domain)).id;
  return (await db.query<DeadLetter>(listDeadLettersSql, [below ?? null, queue ?? null, domainId, limit]))
    .rows;
}

export async function readDeadLetter(db: Queryable, id: number): Promise<DeadLetter> {
  const [found] = (await db.query<DeadLetter>(readDeadLetterSql, [id])).rows;
  if (found !== undefined) return found;
  throw new ForagerError('unknown-dead-letter', `There is no dead letter ${id}.`, {
    hint: '"forager dead-letter list" shows those that are open',
  });
}
