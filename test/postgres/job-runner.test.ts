/** What becomes of jobs, whoever runs them and whatever happens to whoever does. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { cancelJob } from '../../src/control/jobs/cancel-job.ts';
import { forgetJobs } from '../../src/control/jobs/forget-jobs.ts';
import type { Job } from '../../src/control/jobs/job.ts';
import type { JobContext, JobKind } from '../../src/control/jobs/job-kind.ts';
import { type JobRunner, startJobRunner } from '../../src/control/jobs/job-runner.ts';
import { readJob } from '../../src/control/jobs/read-jobs.ts';
import { ForagerError } from '../../src/platform/errors.ts';
import { waitUntil } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

type Run = (context: JobContext<{ n: number }>) => Promise<Readonly<Record<string, unknown>>>;

let kinds = 0;
/** A kind of its own for each test: nobody else runs its jobs. */
function makeKind(run: Run): JobKind<{ n: number }> {
  kinds += 1;
  return { name: `kind-${kinds}`, params: z.object({ n: z.int() }), run };
}

async function submit(kind: JobKind, n = 1): Promise<number> {
  const { rows } = await database.execute<{ id: number }>(
    "insert into jobs (kind, params, created_by) values ($1, $2, 'user:anna') returning id",
    [kind.name, JSON.stringify({ n })],
  );
  return rows[0]?.id ?? 0;
}

function startRunner(...some: JobKind[]): JobRunner {
  const runner = startJobRunner(database.db, some);
  onTestFinished(() => runner.stop());
  return runner;
}

const until = (holds: () => Promise<boolean>): Promise<true> =>
  waitUntil(async () => ((await holds()) ? true : undefined));

async function waitForState(id: number, state: string): Promise<Job> {
  await until(async () => (await readJob(database.db, id)).state === state);
  return readJob(database.db, id);
}

/** Its runner has said nothing for too long. */
const endLease = (id: number): Promise<unknown> =>
  database.execute("update jobs set runner_until = now() - interval '1 second' where id = $1", [id]);

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('a job', () => {
  test('is done with what it was told, tells how far it is, and keeps its result', async () => {
    const kind = makeKind(async ({ params, actor, report }) => {
      await report(2, 5);
      await report(5);
      return { twice: params.n * 2, actor };
    });
    const id = await submit(kind, 21);
    startRunner(kind).wake();
    expect(await waitForState(id, 'done')).toMatchObject({
      ...{ done: 5, total: 5, result: { twice: 42, actor: 'user:anna' }, error: null },
      ...{ startedAt: expect.any(Date), finishedAt: expect.any(Date) },
    });
  });

  test('is found without anybody being woken', async () => {
    const kind = makeKind(async () => ({}));
    startRunner(kind);
    await waitForState(await submit(kind), 'done');
  });

  test('that cannot be done fails with a sentence that says why', async () => {
    const refused = makeKind(async () => {
      throw new ForagerError('unknown-domain', 'The domain is gone.', { hint: 'name another' });
    });
    const broken = makeKind(async () => {
      throw new TypeError('x is not\0 a function');
    });
    const ids = [await submit(refused), await submit(broken)] as const;
    startRunner(refused, broken).wake();
    expect((await waitForState(ids[0], 'failed')).error).toBe('The domain is gone.\n  fix: name another');
    expect((await waitForState(ids[1], 'failed')).error).toBe('It failed unexpectedly: x is not a function.');
  });

  test('whose parameters make no sense fails, and is not tried for ever', async () => {
    const kind = makeKind(async () => ({}));
    const id = await submit(kind, 1.5);
    startRunner(kind).wake();
    expect((await waitForState(id, 'failed')).error).toMatch(/^It failed unexpectedly/);
  });

  test('of a kind that a server does not know is left to another', async () => {
    const known = makeKind(async () => ({}));
    const unknown = makeKind(async () => ({}));
    const left = await submit(unknown);
    const id = await submit(known);
    startRunner(known).wake();
    await waitForState(id, 'done');
    expect((await readJob(database.db, left)).state).toBe('queued');
  });

  test('is forgotten when it has been over for thirty days', async () => {
    const kind = makeKind(async () => ({}));
    const [old, recent, open] = [await submit(kind), await submit(kind), await submit(kind)];
    const finish = (id: number, days: number) =>
      database.execute(
        "update jobs set state = 'done', finished_at = now() - make_interval(days => $2) where id = $1",
        [id, days],
      );
    await finish(old, 31);
    await finish(recent, 29);
    await forgetJobs(database.db);
    const { rows } = await database.db.query('select id from jobs where kind = $1 order by id', [kind.name]);
    expect(rows).toEqual([{ id: recent }, { id: open }]);
  });
});

describe('several runners', () => {
  test('do each job once', async () => {
    const runs = new Map<number, number>();
    const kind = makeKind(async ({ params, report }) => {
      runs.set(params.n, (runs.get(params.n) ?? 0) + 1);
      await report(1);
      return {};
    });
    const numbers = Array.from({ length: 40 }, (_, n) => n);
    const ids = await Promise.all(numbers.map((n) => submit(kind, n)));
    for (const runner of [startRunner(kind), startRunner(kind), startRunner(kind)]) runner.wake();
    for (const id of ids) await waitForState(id, 'done');
    expect([...runs].sort(([a], [b]) => a - b)).toEqual(numbers.map((n) => [n, 1]));
  });

  test('leave a job to whoever is at it, and take it over when that one has fallen silent', async () => {
    const stall = gate();
    const contexts: JobContext<{ n: number }>[] = [];
    const kind = makeKind(async (context) => {
      contexts.push(context);
      await context.report(10, 100);
      const run = contexts.length;
      if (run === 1) await stall.opened;
      await context.report(20, 100);
      return { run };
    });
    const id = await submit(kind);
    startRunner(kind).wake();
    await until(async () => (await readJob(database.db, id)).done === 10);
    const second = startRunner(kind);
    const other = await submit(kind);
    second.wake();
    await waitForState(other, 'done');
    expect(contexts).toHaveLength(2);
    expect((await readJob(database.db, id)).state).toBe('running');
    await endLease(id);
    // What the first has done counts: the second goes on from there.
    expect(await waitForState(id, 'done')).toMatchObject({ done: 30, total: 110, result: { run: 3 } });
    expect(contexts[2]?.doneBefore).toBe(10);
    stall.open();
    // The first comes back and has nothing to say any more.
    await expect(contexts[0]?.report(99)).rejects.toThrow('the job is lost');
    expect(await readJob(database.db, id)).toMatchObject({ done: 30, result: { run: 3 }, state: 'done' });
  });
});

describe('a runner', () => {
  test('that is stopped ends after the portion it is at, and leaves the rest to another', async () => {
    const portion = gate();
    let isAtIt = false;
    const kind = makeKind(async ({ report, doneBefore }) => {
      if (doneBefore === 0) {
        isAtIt = true;
        await portion.opened;
        await report(7);
        throw new Error('went on after it was stopped');
      }
      return { doneBefore };
    });
    const id = await submit(kind);
    const runner = startRunner(kind);
    runner.wake();
    await until(async () => isAtIt);
    const stopped = runner.stop();
    portion.open();
    await stopped;
    expect(await readJob(database.db, id)).toMatchObject({ state: 'queued', done: 7 });
    startRunner(kind).wake();
    expect((await waitForState(id, 'done')).result).toEqual({ doneBefore: 7 });
    const { rows } = await database.db.query('select attempts_count from jobs where id = $1', [id]);
    expect(rows).toEqual([{ attempts_count: 1 }]);
  });

  test('waits while the database is away and goes on with what is left', async () => {
    let runs = 0;
    const kind = makeKind(async ({ db, report, doneBefore }) => {
      runs += 1;
      await report(1, 2);
      if (runs === 1) await db.query('select pg_terminate_backend(pg_backend_pid())');
      return { runs, doneBefore };
    });
    const id = await submit(kind);
    startRunner(kind).wake();
    expect((await waitForState(id, 'done')).result).toEqual({ runs: 2, doneBefore: 1 });
  });

  test('gives up on a job whose processes die of it', async () => {
    let runs = 0;
    const kind = makeKind(async () => {
      runs += 1;
      return {};
    });
    const id = await submit(kind);
    await database.execute(
      "update jobs set state = 'running', runner = 'dead', attempts_count = 5 where id = $1",
      [id],
    );
    await endLease(id);
    startRunner(kind).wake();
    expect((await waitForState(id, 'failed')).error).toMatch(/^It was begun 5 times/);
    expect(runs).toBe(0);
  });
});

describe('a job that is cancelled', () => {
  const actor = { name: 'user:anna' };

  test('is over at once when nobody has begun it', async () => {
    const kind = makeKind(async () => ({}));
    const id = await submit(kind);
    expect(await cancelJob(database.db, id, actor)).toMatchObject({
      ...{ state: 'cancelled', isCancelRequested: true, finishedAt: expect.any(Date) },
    });
    await expect(cancelJob(database.db, id, actor)).rejects.toMatchObject({ code: 'job-over' });
  });

  test('stops when it next says how far it is', async () => {
    const portion = gate();
    let wentOn = false;
    const kind = makeKind(async ({ report }) => {
      await report(1, 3);
      await portion.opened;
      await report(2, 3);
      wentOn = true;
      return {};
    });
    const id = await submit(kind);
    startRunner(kind).wake();
    await until(async () => (await readJob(database.db, id)).done === 1);
    expect((await cancelJob(database.db, id, actor)).state).toBe('running');
    portion.open();
    expect(await waitForState(id, 'cancelled')).toMatchObject({ done: 2, result: null, error: null });
    expect(wentOn).toBe(false);
  });

  test('is not begun again by whoever takes it over', async () => {
    let runs = 0;
    const kind = makeKind(async () => {
      runs += 1;
      return {};
    });
    const id = await submit(kind);
    await database.execute("update jobs set state = 'running', runner = 'dead' where id = $1", [id]);
    await cancelJob(database.db, id, actor);
    await endLease(id);
    startRunner(kind).wake();
    await waitForState(id, 'cancelled');
    expect(runs).toBe(0);
  });
});
