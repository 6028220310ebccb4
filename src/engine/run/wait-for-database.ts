/** The database went away: wait for it, ever longer, and go on from what was committed. */
import type { Database } from '../../platform/database.ts';
import type { Signal } from '../signal.ts';

const WAITS_MS = [500, 1000, 2000, 4000, 8000, 15_000];
const LONGEST_WAIT_MS = 30_000;

export interface DatabaseWait {
  readonly db: Database;
  /** Ends a wait early. */
  readonly change: Signal;
  readonly isStopping: () => boolean;
  /** How often it is asked before whoever waits gives up. */
  readonly attempts: number;
}

/** Resolves when it answers again; throws what it said last when the wait is given up. */
export async function waitForDatabase({ db, change, isStopping, attempts }: DatabaseWait): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    await change.wait(WAITS_MS[attempt] ?? LONGEST_WAIT_MS);
    try {
      await db.query('select 1');
      return;
    } catch (error) {
      if (attempt + 1 >= attempts || isStopping()) throw error;
    }
  }
}
