/** What becomes of a delivery after an attempt: delivered, tried again later, or given up. */
import { retryAfterMs } from '../../engine/politeness/retry-after.ts';
import { now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import type { PostResult } from './post-message.ts';
import { nextDelayMs } from './retry-schedule.ts';

const settleDeliverySql = loadSql(import.meta.url, './settle-delivery.sql');
const noteDeliveredSql = loadSql(import.meta.url, './note-delivered.sql');
const noteGivenUpSql = loadSql(import.meta.url, './note-given-up.sql');
const switchOffSql = loadSql(import.meta.url, './switch-off.sql');

/** Each took three days to be given up, and any success in between starts the count again. */
const MOST_GIVEN_UP = 5;
const GONE = 410;
/** The server has too much to do: its other messages wait a while too. */
const OVERLOADED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const SHORTEST_REST_MS = 5000;
const LONGEST_REST_MS = 3_600_000;

export interface TakenDelivery {
  readonly id: number;
  readonly webhookId: number;
  readonly attemptsCount: number;
}

export interface Verdict {
  readonly state: 'delivered' | 'pending' | 'failed';
  readonly retryInMs: number | undefined;
  readonly status: number | undefined;
  readonly error: string | undefined;
  readonly isGone: boolean;
  /** How long nothing else should be sent there. */
  readonly restMs: number;
}

export type Ended = Exclude<PostResult, { readonly kind: 'aborted' }>;

export function judge(result: Ended, attempts: number): Verdict {
  const status = result.kind === 'answer' ? result.status : undefined;
  const asked = result.kind === 'answer' ? retryAfterMs(result.retryAfter, now()) : undefined;
  const isOverloaded = status !== undefined && OVERLOADED.has(status);
  const restMs = isOverloaded ? Math.min(LONGEST_REST_MS, Math.max(SHORTEST_REST_MS, asked ?? 0)) : 0;
  if (status !== undefined && status >= 200 && status < 300) {
    return { state: 'delivered', retryInMs: undefined, status, error: undefined, isGone: false, restMs };
  }
  const isGone = status === GONE;
  const retryInMs = isGone ? undefined : nextDelayMs(attempts, asked);
  const error = result.kind === 'answer' ? describeStatus(result.status) : result.message;
  return { state: retryInMs === undefined ? 'failed' : 'pending', retryInMs, status, error, isGone, restMs };
}

function describeStatus(status: number): string {
  if (status >= 300 && status < 400) return `It was answered with ${status}: redirects are not followed.`;
  if (status === GONE) return 'It was answered with 410 Gone: the webhook was switched off.';
  return `It was answered with ${status}.`;
}

/** In one transaction; one that another sender has taken meanwhile is only logged. */
export async function settleDelivery(
  db: Database,
  { id, webhookId, attemptsCount }: TakenDelivery,
  sender: string,
  result: Ended,
): Promise<Verdict> {
  const verdict = judge(result, attemptsCount + 1);
  await inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(settleDeliverySql, [
      ...[
        id,
        sender,
        verdict.state,
        verdict.retryInMs ?? null,
        verdict.status ?? null,
        verdict.error ?? null,
      ],
      ...[result.durationMs, result.kind === 'answer' && result.answer !== '' ? result.answer : null],
    ]);
    if (rowCount > 0) await noteFate(tx, webhookId, verdict);
  });
  return verdict;
}

async function noteFate(tx: Transaction, webhookId: number, { state, isGone }: Verdict): Promise<void> {
  if (state === 'delivered') await tx.query(noteDeliveredSql, [webhookId]);
  else if (isGone) await tx.query(switchOffSql, [webhookId]);
  else if (state === 'failed') await tx.query(noteGivenUpSql, [webhookId, MOST_GIVEN_UP]);
}
