/**
 * Time that passes when a test says so: for the database, whose clock every schedule goes by, and for the
 * program. Pacing and timeouts are measured by another clock and go on as they do.
 */
import { afterAll } from 'vitest';
import { useClock } from '../../src/platform/clock.ts';
import type { TestDatabase } from './postgres.ts';

export interface Interval {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
}

const aheadMs = new WeakMap<TestDatabase, number>();

/** Lets time pass, for this database and for the program. */
export async function advance(database: TestDatabase, interval: Interval): Promise<void> {
  const totalMs = (aheadMs.get(database) ?? 0) + milliseconds(interval);
  aheadMs.set(database, totalMs);
  await database.execute(
    `create or replace function forager_now() returns timestamptz language sql stable parallel safe
       return now() + interval '${totalMs} milliseconds'`,
  );
  useClock(() => Date.now() + totalMs);
}

function milliseconds({ days = 0, hours = 0, minutes = 0, seconds = 0 }: Interval): number {
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

afterAll(() => useClock(Date.now));
