/**
 * A task whose URL has moved to another domain goes on as a task of that domain, which somebody else may hold. Written
 * before the batch, in a transaction of its own: domains that are not ours are never locked together with ours. If we
 * die in between, the same move is found again and changes nothing.
 */
import type { Database } from '../../platform/database.ts';
import { byteaArray, numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { canonicalDomain, registrableDomain } from '../frontier/canonical-domain.ts';
import { hashUrlKey, normalizeUrl } from '../frontier/normalize-url.ts';
import type { Visit } from '../visit.ts';

const addDomains = loadSql(import.meta.url, './add-task-domains.sql');
const lockDomains = loadSql(import.meta.url, '../frontier/lock-domains.sql');
const addMoved = loadSql(import.meta.url, './add-moved-tasks.sql');
const wakeScheduler = loadSql(import.meta.url, './wake-scheduler.sql');

interface Move {
  readonly taskId: number;
  readonly url: string;
  readonly hash: Buffer;
  readonly domain: string;
}

/** Returns the tasks that end there: the domain is not known, and none is made known by a task. */
export async function followMoves(
  db: Database,
  visits: readonly Visit[],
  mayAddDomains: boolean,
): Promise<ReadonlySet<number>> {
  const moves = visits.flatMap(readMove);
  if (moves.length === 0) return new Set();
  const domains = [...new Map(moves.map((move) => [move.domain, move])).values()];
  const names = textArray(domains.map(({ domain }) => domain));
  return inTransaction(db, async (tx) => {
    if (mayAddDomains) {
      await tx.query(addDomains, [
        names,
        textArray(domains.map(({ domain }) => registrableDomain(domain))),
        textArray(domains.map(({ url }) => new URL(url).origin)),
      ]);
    }
    const { rows } = await tx.query<{ domain: string }>(lockDomains, [names]);
    const known = new Set(rows.map(({ domain }) => domain));
    await tx.query(addMoved, [
      numberArray(moves.map(({ taskId }) => taskId)),
      textArray(moves.map(({ domain }) => domain)),
      textArray(moves.map(({ url }) => url)),
      byteaArray(moves.map(({ hash }) => hash)),
    ]);
    await tx.query(wakeScheduler);
    return new Set(moves.filter(({ domain }) => !known.has(domain)).map(({ taskId }) => taskId));
  });
}

function readMove({ due, movedTo }: Visit): Move[] {
  if (due.task === undefined || movedTo === undefined) return [];
  const target = normalizeUrl(movedTo, { stripTrailingSlash: false });
  if (target.kind === 'bad') return [];
  const domain = canonicalDomain(target.url);
  if (domain === undefined) return [];
  return [{ taskId: due.task.id, url: target.url, hash: hashUrlKey(target.key), domain }];
}
