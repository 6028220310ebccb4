/** Does one job, from the claim to whatever becomes of it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../platform/database.ts';
import { messageOf } from '../../platform/database-errors.ts';
import { ConnectionLost, describeError, errorCode, ForagerError } from '../../platform/errors.ts';
import { inTransaction } from '../../platform/transaction.ts';
import type { JobKind } from './job-kind.ts';
import { type EarlyEnd, JOB_LEASE_MS, JobEnded, type JobLease } from './job-lease.ts';

/** A job whose process dies each time would take one server after the other with it. */
const MOST_ATTEMPTS = 5;
const RENEW_MS = JOB_LEASE_MS / 3;
const WAIT_FOR_DATABASE_MS = 1000;
const LONGEST_ERROR = 2000;

export async function runJob(
  db: Database,
  lease: JobLease,
  kind: JobKind,
  isStopping: () => boolean,
): Promise<void> {
  if (lease.job.isCancelRequested) return lease.finish('cancelled');
  if (lease.job.attempts > MOST_ATTEMPTS) {
    const error = `It was begun ${MOST_ATTEMPTS} times, and each time the process that was at it died.`;
    return lease.finish('failed', { error });
  }
  for (;;) {
    const end = await attempt(db, lease, kind, isStopping);
    try {
      if (end.kind === 'done') return await lease.finish('done', { result: end.result });
      if (end.kind === 'failed') return await lease.finish('failed', { error: sentenceOf(end.error) });
      if (end.kind === 'cancelled') return await lease.finish('cancelled');
      if (end.kind === 'stopping') return await lease.release();
      if (end.kind === 'lost') return;
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
    // The database was away. What was committed is done, and the kind finds the rest.
    if (isStopping()) return;
    await pause(WAIT_FOR_DATABASE_MS);
    lease.beginAgain();
  }
}

type Ending =
  | { readonly kind: 'done'; readonly result: Readonly<Record<string, unknown>> }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: EarlyEnd }
  | { readonly kind: 'database-away' };

async function attempt(
  db: Database,
  lease: JobLease,
  kind: JobKind,
  isStopping: () => boolean,
): Promise<Ending> {
  let ended: JobEnded | undefined;
  const timer = setInterval(() => {
    lease.report().catch((error: unknown) => {
      if (error instanceof JobEnded) ended = error;
    });
  }, RENEW_MS);
  try {
    // Is it still this runner's, after a wait, and still wanted?
    await lease.report(0);
    const result = await kind.run({
      db,
      params: kind.params.parse(lease.job.params),
      actor: lease.job.actor,
      doneBefore: lease.doneBefore,
      portion: (work) =>
        inTransaction(db, async (tx) => {
          await lease.hold(tx);
          return work(tx);
        }),
      report: async (done, total) => {
        if (ended !== undefined) throw ended;
        await lease.report(done, total);
        if (isStopping()) throw new JobEnded('stopping');
      },
    });
    return { kind: 'done', result };
  } catch (error) {
    if (error instanceof JobEnded) return { kind: error.reason };
    return isPassing(error) ? { kind: 'database-away' } : { kind: 'failed', error };
  } finally {
    clearInterval(timer);
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof ConnectionLost || errorCode(error) === 'too-many-connections';
}

/** For people: a foreseen refusal in its own words, a defect at least by its message. */
function sentenceOf(error: unknown): string {
  const text =
    error instanceof ForagerError ? describeError(error) : `It failed unexpectedly: ${messageOf(error)}.`;
  return text.replaceAll('\0', '').slice(0, LONGEST_ERROR);
}
