/** Whoever has lost a job, frozen between two portions perhaps, changes nothing any more. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { submitDeletion } from '../../src/control/domains/delete-domain.ts';
import { submitClearing } from '../../src/control/frontier/clear-frontier.ts';
import { cancelJob } from '../../src/control/jobs/cancel-job.ts';
import type { Job } from '../../src/control/jobs/job.ts';
import type { JobContext, JobKind } from '../../src/control/jobs/job-kind.ts';
import { jobKindOf } from '../../src/control/jobs/job-kinds.ts';
import { JobLease } from '../../src/control/jobs/job-lease.ts';
import { readJob } from '../../src/control/jobs/read-jobs.ts';
import { runJob } from '../../src/control/jobs/run-job.ts';
import { orderPurge } from '../../src/control/pages/purge-pages.ts';
import { loadSql } from '../../src/platform/sql-file.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { waitUntil } from '../support/crawl-support.ts';
import { plantPages } from '../support/planted-pages.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const claimStatement = loadSql(import.meta.url, '../../src/control/jobs/claim-job.sql');
const actor = { name: 'user:anna' };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function claim(kind: string): Promise<JobLease> {
  const lease = await JobLease.claim(database.db, [kind]);
  if (lease === undefined) throw new Error(`no job of the kind ${kind} waits`);
  return lease;
}

/** Its runner has said nothing for too long. */
const endLease = (id: number): Promise<unknown> =>
  database.execute("update jobs set runner_until = now() - interval '1 second' where id = $1", [id]);

async function takeOver({ id, kind }: Job): Promise<JobLease> {
  await endLease(id);
  return claim(kind);
}

const losses = {
  'that another has taken over': async (job: Job): Promise<void> => void (await takeOver(job)),
  'that another has finished': async (job: Job): Promise<void> => (await takeOver(job)).finish('done'),
  'that was cancelled': async (job: Job): Promise<void> => void (await cancelJob(database.db, job.id, actor)),
};

const orders = {
  'delete-domain': (domain: string) => submitDeletion(database.db, domain, 0, actor),
  'purge-pages': (domain: string) => orderPurge(database.db, { domain, recrawl: false }, actor),
  'clear-frontier': (domain: string) =>
    submitClearing(database.db, { domain, isAllMeant: false, state: 'all', restMs: 0 }, actor),
};

/** Something happens after its last look at the job, and before its first portion; what it reports is not heard. */
function frozenFirst(kind: JobKind, meanwhile: () => Promise<void>): JobKind {
  const run = async (context: JobContext<object>) => {
    await meanwhile();
    return kind.run({ ...context, report: async () => undefined });
  };
  return { ...kind, run };
}

let domains = 0;
async function plant(): Promise<{ id: number; domain: string }> {
  domains += 1;
  const domain = `portion-${domains}.example`;
  const [id = 0] = await plantPages(database, [{ domain, pages: 10 }]);
  await database.execute(
    `insert into urls (domain_id, url_hash, url, depth, priority)
     select $1, sha256(('new' || $2::text || n)::bytea), 'https://' || $2 || '/new/' || n, 1, 2
       from generate_series(1, 5) n`,
    [id, domain],
  );
  await database.execute('update domains set pages_discovered = pages_discovered + 5 where id = $1', [id]);
  return { id, domain };
}

async function countRows(id: number): Promise<unknown> {
  const { rows } = await database.db.query(
    `select (select count(*)::int from domains where id = $1) as domains,
            (select count(*)::int from urls where domain_id = $1) as urls,
            (select count(*)::int from pages where domain_id = $1) as pages,
            (select count(*)::int from crawl_log where domain_id = $1) as fetches`,
    [id],
  );
  return rows[0];
}

/** No job of an earlier test is in the way of this one's. */
const endAll = (): Promise<unknown> =>
  database.execute(
    "update jobs set state = 'cancelled', runner = null, finished_at = now() where finished_at is null",
  );

describe.each(Object.entries(orders))('%s', (kind, order) => {
  test.each(Object.entries(losses))('removes nothing on behalf of a job %s', async (_, lose) => {
    await endAll();
    const { id, domain } = await plant();
    const job = await order(domain);
    const before = await countRows(id);
    const lease = await claim(kind);
    const frozen = frozenFirst(jobKindOf(job.kind), () => lose(job));
    await runJob(database.db, lease, frozen, () => false);
    expect(await countRows(id)).toEqual(before);
    expect((await readJob(database.db, job.id)).state).not.toBe('failed');
  });

  test('removes what it is to remove while the job is its own', async () => {
    await endAll();
    const { id, domain } = await plant();
    const job = await order(domain);
    const before = await countRows(id);
    const nothing = async (): Promise<void> => undefined;
    await runJob(database.db, await claim(kind), frozenFirst(jobKindOf(job.kind), nothing), () => false);
    expect((await readJob(database.db, job.id)).state).toBe('done');
    expect(await countRows(id)).not.toEqual(before);
  });
});

describe('a portion that is under way', () => {
  async function begin(): Promise<{ job: Job; lease: JobLease }> {
    await endAll();
    const job = await orders['purge-pages']((await plant()).domain);
    return { job, lease: await claim(job.kind) };
  }

  test('keeps others from taking the job over, and makes neither renewals nor a cancellation wait', async () => {
    const { job, lease } = await begin();
    await inTransaction(database.db, async (tx) => {
      await lease.hold(tx);
      await endLease(job.id);
      expect(await JobLease.claim(database.db, [job.kind])).toBeUndefined();
      await lease.report(1);
      expect((await cancelJob(database.db, job.id, actor)).isCancelRequested).toBe(true);
      await endLease(job.id);
      expect(await JobLease.claim(database.db, [job.kind])).toBeUndefined();
    });
    expect((await claim(job.kind)).job.id).toBe(job.id);
  });

  test('does not begin while somebody is taking the job over', async () => {
    const { job, lease } = await begin();
    await endLease(job.id);
    const { holding } = await inTransaction(database.db, async (tx) => {
      expect((await tx.query(claimStatement, ['other', 30_000, [job.kind]])).rowCount).toBe(1);
      const held = inTransaction(database.db, (own) => lease.hold(own)).then(
        () => 'held',
        (error: Error) => error.message,
      );
      await waitUntil(async () => {
        const { rows } = await database.db.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rows[0];
      });
      return { holding: held };
    });
    expect(await holding).toBe('the job is lost');
  });
});
