/** A kind of long work: what it needs to be told, and how it is done in portions. */
import type { z } from 'zod';
import type { Database } from '../../platform/database.ts';

export interface JobContext<P> {
  readonly db: Database;
  readonly params: P;
  /** Who asked for it. */
  readonly actor: string;
  /** What was dealt with already by somebody who had to leave it: `report` and results count from here. */
  readonly doneBefore: number;
  /**
   * Says how far it is, after each portion: what this run of it has done, of how many it found to do. Throws when the job was cancelled, or taken over by another process
   * because this one seemed dead: what was committed stays, and whoever resumes finds the rest still to be done.
   */
  report(done: number, total?: number): Promise<void>;
}

/**
 * Each portion is a transaction of its own and may be done again: after a crash the job is run from the start, on
 * what is left.
 */
export interface JobKind<P extends object = object> {
  readonly name: string;
  readonly params: z.ZodType<P>;
  /** What is shown when it is done. */
  run(context: JobContext<P>): Promise<Readonly<Record<string, unknown>>>;
}
