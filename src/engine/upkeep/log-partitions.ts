/** The crawl log has a partition per day, made a week ahead, so that retention can drop whole days. */
import { now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { errorCode } from '../../platform/errors.ts';
import { inTransaction } from '../../platform/transaction.ts';

const DAYS_AHEAD = 7;
const DAY_MS = 86_400_000;
/** Any number will do, as long as everybody uses the same: two processes must not make one partition at once. */
const LOCK_ID = 7_240_001;

export async function ensureLogPartitions(db: Database): Promise<void> {
  const names = Array.from({ length: DAYS_AHEAD + 1 }, (_, day) => dayName(day));
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from pg_class where relname = any($1::text[]) and relkind = 'r'",
    [names],
  );
  if ((rows[0]?.count ?? 0) === names.length) return;
  await inTransaction(db, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [LOCK_ID]);
    for (const [day, name] of names.entries()) {
      await tx.query('savepoint before_day');
      try {
        // Names and dates are made here from the clock alone; identifiers cannot be parameters.
        await tx.query(
          `create table if not exists ${name} partition of crawl_log
           for values from ('${isoDay(day)}') to ('${isoDay(day + 1)}')`,
        );
      } catch (error) {
        // A machine that slept for weeks may write before anybody has made its day: the whole of that day lies
        // in the default partition then, and is none the worse for it.
        if (!isOverlap(error)) throw error;
        await tx.query('rollback to savepoint before_day');
      }
    }
  });
}

/** The default partition has rows of the day already. */
function isOverlap(error: unknown): boolean {
  return errorCode(error) === '23514';
}

function isoDay(day: number): string {
  return new Date(now().getTime() + day * DAY_MS).toISOString().slice(0, 10);
}

function dayName(day: number): string {
  return `crawl_log_${isoDay(day).replaceAll('-', '')}`;
}
