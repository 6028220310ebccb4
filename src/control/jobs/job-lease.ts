/**
 * A job in the hands of one runner. Every word about it goes through here and names the runner: one that was taken
 * for dead and comes back finds that it has nothing to say any more.
 */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import type { JobState } from './job.ts';

const findWaiting = loadSql(import.meta.url, './find-waiting-job.sql');
const claim = loadSql(import.meta.url, './claim-job.sql');
const hold = loadSql(import.meta.url, './hold-job.sql');
const report = loadSql(import.meta.url, './report-job.sql');
const finish = loadSql(import.meta.url, './finish-job.sql');
const release = loadSql(import.meta.url, './release-job.sql');

/** Whoever has said nothing for so long counts as dead. */
export const JOB_LEASE_MS = 30_000;

/** Why a job ends before it is done. */
export type EarlyEnd = 'cancelled' | 'lost' | 'stopping';

export class JobEnded extends Error {
  readonly reason: EarlyEnd;

  constructor(reason: EarlyEnd) {
    super(`the job is ${reason}`);
    this.reason = reason;
  }
}

interface ClaimedRow {
  readonly id: number;
  readonly kind: string;
  readonly params: unknown;
  readonly doneBefore: number;
  readonly actor: string;
  readonly isCancelRequested: boolean;
  readonly attempts: number;
}

export class JobLease {
  readonly job: ClaimedRow;
  readonly #db: Database;
  readonly #runner: string;
  /** Dealt with before this run of it began, and by now. */
  #doneBefore: number;
  #done: number;

  private constructor(db: Database, runner: string, job: ClaimedRow) {
    this.#db = db;
    this.#runner = runner;
    this.job = job;
    this.#doneBefore = job.doneBefore;
    this.#done = job.doneBefore;
  }

  get doneBefore(): number {
    return this.#doneBefore;
  }

  /** The kind starts over, on what is left. */
  beginAgain(): void {
    this.#doneBefore = this.#done;
  }

  /** The next job of these kinds that nobody is at, if there is one. */
  static async claim(db: Database, kinds: readonly string[]): Promise<JobLease | undefined> {
    // Nearly always there is none, and nothing is written to find that out.
    if ((await db.query(findWaiting, [kinds])).rowCount === 0) return undefined;
    // A name for this one time: the same process may lose a job and get it again.
    const runner = randomUUID();
    const { rows } = await inTransaction(db, (tx) =>
      tx.query<ClaimedRow>(claim, [runner, JOB_LEASE_MS, kinds]),
    );
    return rows[0] === undefined ? undefined : new JobLease(db, runner, rows[0]);
  }

  /** Nobody takes it over before the transaction is over. Throws JobEnded when somebody has, or it is cancelled. */
  async hold(tx: Transaction): Promise<void> {
    const { rows } = await tx.query<{ isCancelRequested: boolean }>(hold, [this.job.id, this.#runner]);
    if (rows[0] === undefined) throw new JobEnded('lost');
    if (rows[0].isCancelRequested) throw new JobEnded('cancelled');
  }

  /** Without figures: still at it. Throws JobEnded when it is to go no further. */
  async report(done?: number, total?: number): Promise<void> {
    const before = this.#doneBefore;
    const { rows } = await inTransaction(this.#db, (tx) =>
      tx.query<{ isCancelRequested: boolean }>(report, [
        ...[this.job.id, this.#runner, done === undefined ? null : before + done],
        ...[total === undefined ? null : before + total, JOB_LEASE_MS],
      ]),
    );
    if (rows[0] === undefined) throw new JobEnded('lost');
    this.#done = before + (done ?? this.#done - before);
    if (rows[0].isCancelRequested) throw new JobEnded('cancelled');
  }

  async finish(
    state: Extract<JobState, 'done' | 'failed' | 'cancelled'>,
    { result, error }: { result?: Readonly<Record<string, unknown>>; error?: string } = {},
  ): Promise<void> {
    const values = [
      ...[this.job.id, this.#runner, state],
      ...[result === undefined ? null : JSON.stringify(result), error ?? null],
    ];
    await inTransaction(this.#db, (tx) => tx.query(finish, values));
  }

  /** For somebody else to go on with. */
  async release(): Promise<void> {
    await inTransaction(this.#db, (tx) => tx.query(release, [this.job.id, this.#runner]));
  }
}
