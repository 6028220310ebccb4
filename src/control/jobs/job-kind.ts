/** A kind of long work: what it needs to be told, and how it is done in portions. */
import type { z } from 'zod';
import type { Database } from '../../platform/database.ts';
import type { Transaction } from '../../platform/transaction.ts';

export interface JobContext<P> {
  readonly db: Database;
  readonly params: P;
  /** Who asked for it. */
  readonly actor: string;
  /** What was dealt with already by somebody who had to leave it: `report` and results count from here. */
  readonly doneBefore: number;
  /**
   * A portion, in a transaction of its own: everything that a job changes is changed in one. Until it is over nobody
   * else takes the job; when somebody has, or when it was cancelled, this throws and changes nothing. So a process
   * that was frozen for a while does nothing to what came after its time. The job is held first, before any domain.
   */
  portion<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Says how far it is, after each portion: what this run of it has done, of how many it found to do. Throws when the
   * job was cancelled, or taken over by another process because this one seemed dead: what was committed stays, and
   * whoever resumes finds the rest still to be done.
   */
  report(done: number, total?: number): Promise<void>;
}

/**
 * Each portion may be done again: after a crash the job is run from the start, on
 * what is left.
 */
export interface JobKind<P extends object = object> {
  readonly name: string;
  readonly params: z.ZodType<P>;
  /** What is shown when it is done. */
  run(context: JobContext<P>): Promise<Readonly<Record<string, unknown>>>;
}
