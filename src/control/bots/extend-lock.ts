/** A bot keeps a job for longer. */
import { type Database, prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import type { BotOfKey } from './bot-of-key.ts';
import { type LockNamed, lockHeldJob, notHeld, readPastLock } from './held-job.ts';
import { toJobId } from './job-id.ts';

const extend = prepared('extend-bot-lock', loadSql(import.meta.url, './extend-lock.sql'));

export interface Extended {
  readonly job_id: string;
  readonly lock_token: string;
  readonly locked_until: Date;
}

export async function extendLock(
  db: Database,
  bot: BotOfKey,
  named: LockNamed,
  seconds: number,
): Promise<Extended> {
  return inTransaction(db, async (tx) => {
    const job = await lockHeldJob(tx, bot, named);
    if (job === undefined) throw notHeld((await readPastLock(tx, bot, named))?.wasHeld ?? false);
    const { rows } = await tx.query<{ lockedUntil: Date }>(extend, [job.id, job.lockToken, seconds]);
    const [row] = rows;
    if (row === undefined) throw notHeld(true);
    return { job_id: toJobId(job.id), lock_token: job.lockToken, locked_until: row.lockedUntil };
  });
}
