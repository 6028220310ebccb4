/** Steps that fail: tried again after a while, told once, and no hindrance to the others. */
import { beforeEach, expect, test, vi } from 'vitest';
import { STANDING_RUN } from '../../src/engine/run/standing-run.ts';
import { Upkeep } from '../../src/engine/upkeep/upkeep.ts';
import * as clock from '../../src/platform/clock.ts';
import { NOTHING, type Step } from '../../src/scheduler/ground.ts';
import { Ticker } from '../../src/scheduler/ticker.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { schedulerSettings } from '../support/scheduling.ts';

let database: TestDatabase;
let nowMs = 1_000_000;
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

vi.mock('../../src/platform/clock.ts', { spy: true });

function makeTicker(steps: readonly Step[]): { ticker: Ticker; told: string[] } {
  vi.mocked(clock.monotonicMs).mockImplementation(() => nowMs);
  const { db } = database;
  const told: string[] = [];
  const upkeep = new Upkeep({ db, runId: STANDING_RUN, settings: schedulerSettings });
  const distribution = { announce: async () => 0 };
  const ticker = new Ticker(
    { db, distribution, settings: schedulerSettings, upkeep },
    (step, error) => told.push(`${step}: ${error instanceof Error ? error.message : String(error)}`),
    steps,
  );
  return { ticker, told };
}

test('a step that fails is left alone for five seconds while the others go on, and is told once a minute', async () => {
  const runs = { failing: 0, sound: 0 };
  let message = 'no room';
  const failing: Step = {
    ...{ name: 'failing', everyMs: 0 },
    run: async () => {
      runs.failing += 1;
      throw new Error(message);
    },
  };
  const sound: Step = {
    ...{ name: 'sound', everyMs: 0 },
    run: async () => {
      runs.sound += 1;
      return NOTHING;
    },
  };
  const { ticker, told } = makeTicker([failing, sound]);
  const tickFor = async (seconds: number): Promise<void> => {
    for (const endMs = nowMs + seconds * 1000; nowMs < endMs; nowMs += 50) {
      expect(await ticker.tick()).toMatchObject({ hasFailed: true });
    }
  };
  await tickFor(30);
  expect(runs).toEqual({ failing: 6, sound: 600 });
  expect(told).toEqual(['failing: no room']);
  await tickFor(35);
  expect(told).toHaveLength(2);
  // Another reason is news.
  message = 'no light';
  await tickFor(5);
  expect(told.slice(2)).toEqual(['failing: no light']);
});

test('a step that works again is not spoken of, and its failure holds up nothing any more', async () => {
  let isBroken = true;
  const step: Step = {
    ...{ name: 'now and then', everyMs: 0 },
    run: async () => {
      if (isBroken) throw new Error('broken');
      return { ...NOTHING, count: 3 };
    },
  };
  const { ticker, told } = makeTicker([step]);
  expect(await ticker.tick()).toMatchObject({ hasFailed: true, counts: {} });
  isBroken = false;
  expect(await ticker.tick()).toMatchObject({ hasFailed: true, counts: {} });
  nowMs += 5000;
  expect(await ticker.tick()).toMatchObject({ hasFailed: false, counts: { 'now and then': 3 } });
  expect(told).toEqual(['now and then: broken']);
});
