/** Whether a job is in the hands of a bot, and why not. */
import type { z } from 'zod';
import type { botJob } from '../../contract/bots.ts';
import { prepared, type Queryable } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import type { BotOfKey } from './bot-of-key.ts';
import { readJobId } from './job-id.ts';

const lock = prepared('lock-bot-job', loadSql(import.meta.url, './lock-job.sql'));
const read = prepared('read-bot-lock', loadSql(import.meta.url, './read-lock.sql'));
const readPast = prepared('read-past-bot-locks', loadSql(import.meta.url, './read-past-locks.sql'));

export interface HeldJob {
  readonly id: number;
  readonly domainId: number;
  readonly policyId: number | null;
  readonly url: string;
  readonly urlHash: Buffer;
  readonly wanted: z.infer<typeof botJob>['wanted'];
  readonly retryCount: number;
  readonly maxRetries: number;
  /** Null: nobody. */
  readonly lockedBy: string | null;
  readonly lockToken: string | null;
  readonly isRunOut: boolean;
  /** Since it was pulled. */
  readonly workMs: number;
}

export interface LockNamed {
  readonly job_id: string;
  readonly lock_token?: string | null | undefined;
}

/** What it has handed in before. */
export interface PastLock {
  readonly wasHeld: boolean;
  readonly digest: Buffer | null;
  readonly answer: unknown;
  readonly isOlder: boolean;
}

type Held = HeldJob & { readonly lockToken: string };

/** Locked with its domain and policy until the end of the transaction; undefined: it is not in the bot's hands. */
export async function lockHeldJob(
  tx: Transaction,
  bot: BotOfKey,
  named: LockNamed,
): Promise<Held | undefined> {
  return findHeld((id) => tx.query<HeldJob>(lock, [id]), bot, named);
}

/** At this moment: who acts on it has to look again. */
export async function readHeldJob(db: Queryable, bot: BotOfKey, named: LockNamed): Promise<Held | undefined> {
  return findHeld((id) => db.query<HeldJob>(read, [id]), bot, named);
}

async function findHeld(
  query: (id: number) => Promise<{ readonly rows: readonly HeldJob[] }>,
  { botId }: BotOfKey,
  { job_id, lock_token }: LockNamed,
): Promise<Held | undefined> {
  const id = readJobId(job_id);
  if (id === undefined) return undefined;
  const [job] = (await query(id)).rows;
  if (job === undefined || job.lockedBy !== botId || job.lockToken === null || job.isRunOut) return undefined;
  const { lockToken } = job;
  if (lock_token !== null && lock_token !== undefined && lock_token !== lockToken) return undefined;
  return { ...job, lockToken };
}

/** A statement of its own: somebody may have handed it in while we waited for the job. */
export async function readPastLock(
  tx: Transaction,
  bot: BotOfKey,
  { job_id, lock_token }: LockNamed,
): Promise<PastLock | undefined> {
  const id = readJobId(job_id);
  if (id === undefined || !mayBeToken(lock_token)) return undefined;
  return (await tx.query<PastLock>(readPast, [id, bot.id, bot.botId, lock_token ?? null])).rows[0];
}

/** A bot learns nothing of jobs it has never had: they are all not its own. */
export function notHeld(wasHeld: boolean): ForagerError {
  if (!wasHeld) {
    return new ForagerError('not-assigned', 'The job is not, and was never, in the hands of this bot.', {
      hint: 'send the job_id of a pull of the same bot',
    });
  }
  return new ForagerError(
    'lock-expired',
    'The lock has run out, or was taken back: nothing can be handed in under it.',
    {
      hint: 'pull again; work that takes longer than a lock keeps it with POST /api/crawl/extend',
    },
  );
}

/** No larger than the database counts. */
function mayBeToken(token: string | null | undefined): boolean {
  return token === null || token === undefined || BigInt(token) <= 9_223_372_036_854_775_807n;
}
