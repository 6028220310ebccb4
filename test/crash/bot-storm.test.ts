/**
 * Fifty bots over ten thousand jobs, through two real servers and a real scheduler. Some are processes that are killed
 * and started again; the others are slow beyond the end of their locks, forget what they have, lie about who they are,
 * hand in twice, hand in something else, hand in late, under old numbers and those of others, and fail at random. Each
 * job comes to one end, with the result of one lock; no job is held by two; none is lost; every retry is accounted for.
 */
import { spawn } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import path from 'node:path';
import { setTimeout as waitMs } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { BotClient, BotError, type BotJob, type Submitted } from '../../src/bot/index.ts';
import { buildProgram, startProgram } from '../support/crawl-process.ts';
import { temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import { makeRandom } from '../support/make-random.ts';
import { plantJobLot, type RegisteredBot, registerBot } from '../support/planted-bots.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startServerProcess } from '../support/server-process.ts';

const JOBS = 10_000;
const DOMAINS = 100;
const BROKEN_EVERY = 97;
const BOTS = 50;
const PROCESSES = 8;
const KILLS = 24;
const LOCK_SECONDS = 3;
const PER_DOMAIN = 12;
const STILL_MS = 60_000;

let database: TestDatabase;
beforeAll(async () => {
  await buildProgram();
  database = await createTestDatabase();
}, 180_000);
afterAll(() => database?.drop());

/** What the test itself has seen of a lock. */
interface Holding {
  readonly bot: string;
  readonly job: BotJob;
  readonly startsAtMs: number;
  endsAtMs: number;
  /** Handing in has begun: from now on the server may have let it go. */
  isLetGo: boolean;
}

class Ledger {
  readonly holdings = new Map<string, Holding[]>();
  readonly accepted = new Map<string, { token: string; status: Submitted['status'] }[]>();
  readonly complaints: string[] = [];
  readonly refusals = new Map<string, number>();
  /** All that others were told, for thieves. */
  readonly seen: BotJob[] = [];

  pull(bot: string, job: BotJob): Holding {
    const endsAtMs = Date.parse(job.locked_until);
    const holding = { bot, job, startsAtMs: endsAtMs - job.timeout_seconds * 1000, endsAtMs, isLetGo: false };
    const before = this.holdings.get(job.job_id) ?? [];
    for (const other of before) {
      // By the clock of the server alone: those of its locks are told to the millisecond.
      if (!other.isLetGo && other.endsAtMs > holding.startsAtMs + 1) {
        this.complaints.push(`${job.url} was given to ${bot} while ${other.bot} had it`);
      }
      if (BigInt(other.job.lock_token) >= BigInt(job.lock_token)) {
        this.complaints.push(
          `the lock ${job.lock_token} of ${job.url} is not newer than ${other.job.lock_token}`,
        );
      }
    }
    this.holdings.set(job.job_id, [...before, holding]);
    this.seen.push(job);
    return holding;
  }

  accept(job: BotJob, { status }: Submitted): void {
    const before = this.accepted.get(job.job_id) ?? [];
    this.accepted.set(job.job_id, [...before, { token: job.lock_token, status }]);
  }
}

const ledger = new Ledger();

it('fifty bots that are killed, slow, lying, late and twice: each job one result, none held by two, none lost, retries right', async () => {
  const dataDir = await temporaryDirectory();
  const env = {
    ...{ FORAGER_BOT_LOCK_SECONDS: String(LOCK_SECONDS), FORAGER_RATE_BOT: '1000000' },
    ...{ FORAGER_RATE_ANONYMOUS: '1000000', FORAGER_MAX_CONCURRENT_REQUESTS: String(PER_DOMAIN) },
    ...{ FORAGER_DATABASE_POOL_SIZE: '4', FORAGER_LOG_LEVEL: 'error' },
  };
  const place = { dataDir, databaseUrl: database.url, env };
  await plantJobLot(database, { count: JOBS, domains: DOMAINS, brokenEvery: BROKEN_EVERY });
  const bots = await Promise.all(
    Array.from({ length: BOTS }, (_, index) => registerBot(database, `bot-${index}`)),
  );
  const servers = await Promise.all([startServerProcess(['api'], place), startServerProcess(['api'], place)]);
  const scheduler = startProgram(['scheduler'], place);
  const urlOf = (index: number): string => servers[index % servers.length]?.url ?? '';

  const stop = new AbortController();
  setMaxListeners(BOTS, stop.signal);
  const random = makeRandom(20_261_115);
  const processes = bots.slice(0, PROCESSES).map((bot, index) => keepProcess(urlOf(index), bot));
  const rogues = bots
    .slice(PROCESSES)
    .map((bot, index) => runRogue(urlOf(index), bot, bots, random, stop.signal));
  const failed = Promise.all(rogues).then(() => new Promise<never>(() => undefined));

  const storm = async (): Promise<void> => {
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await awaitOver(Math.floor((JOBS * 0.9 * kill) / KILLS));
      await processes[Math.floor(random() * PROCESSES)]?.killAndStart();
    }
    await awaitOver(JOBS);
  };
  await Promise.race([storm(), failed]);
  stop.abort();
  await Promise.all(rogues);
  await Promise.all(processes.map((bot) => bot.stop()));
  expect(scheduler.hasEnded(), scheduler.stderr()).toBe(false);

  expect(ledger.complaints).toEqual([]);
  await checkEnds();
  await checkResults();
  await checkHistories();
  // All of it has happened.
  const kinds = ['wrong-bot', 'not-assigned', 'lock-expired', 'already-submitted'];
  expect(kinds.filter((code) => (ledger.refusals.get(code) ?? 0) === 0)).toEqual([]);
}, 420_000);

/** A bot in a process of its own. */
function keepProcess(
  url: string,
  bot: RegisteredBot,
): { killAndStart(): Promise<void>; stop(): Promise<void> } {
  const start = () => {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'bot-child.mjs')], {
      env: { PATH: process.env.PATH, BASE_URL: url, BOT_ID: bot.botId, BOT_KEY: bot.key },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
    return { child, ended, stderr: () => stderr };
  };
  let running = start();
  onTestFinished(() => void running.child.kill('SIGKILL'));
  return {
    killAndStart: async () => {
      running.child.kill('SIGKILL');
      await running.ended;
      running = start();
    },
    stop: async () => {
      running.child.kill('SIGTERM');
      expect(await running.ended, running.stderr()).toBe(0);
    },
  };
}

/** A bot with every bad habit there is. Whatever the server says against the rules ends the test. */
async function runRogue(
  url: string,
  bot: RegisteredBot,
  all: readonly RegisteredBot[],
  random: () => number,
  stop: AbortSignal,
): Promise<void> {
  const client = new BotClient({ baseUrl: url, botId: bot.botId, apiKey: bot.key });
  const liar = (name: string): BotClient => new BotClient({ baseUrl: url, botId: name, apiKey: bot.key });
  const anyOf = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];

  while (!stop.aborted) {
    const other = anyOf(all);
    if (random() < 0.02 && other !== undefined && other.botId !== bot.botId) {
      await expectRefusal(liar(other.botId).pull({ maxJobs: 5 }), ['wrong-bot']);
    }
    const { jobs, retry_after_seconds: seconds } = await client.pull({ maxJobs: 8 });
    const holdings = jobs.map((job) => ledger.pull(bot.botId, job));
    for (const holding of holdings) await deal(holding);
    if (jobs.length === 0)
      await waitMs(Math.min(seconds ?? 0, 1) * 1000, undefined, { signal: stop }).catch(() => undefined);
  }

  async function deal(holding: Holding): Promise<void> {
    const { job } = holding;
    const stolen = anyOf(ledger.seen);
    if (random() < 0.02 && stolen !== undefined && stolen.job_id !== job.job_id) await steal(stolen);
    await useOldNumbers(job);
    const kind = random();
    // Forgotten: the lock runs out.
    if (kind < 0.01) return;
    if (kind < 0.02) return handInLate(holding);
    if (kind < 0.05) {
      const longer = await client.extend(job, LOCK_SECONDS + 1).catch(refusalOf);
      if (longer instanceof BotError) note(longer, ['lock-expired', 'not-assigned']);
      else holding.endsAtMs = Date.parse(longer.locked_until);
    }
    holding.isLetGo = true;
    const isBroken = job.url.includes('/broken/') || kind > 0.95;
    if (isBroken) return submit(() => client.submitFailure(job, 'it did not work'), job);
    const result = { price: `${job.lock_token}.5`, currency: 'EUR' };
    await submit(() => client.submitSuccess(job, result), job);
    if (kind < 0.1) await handInAgain(job, result);
  }

  /** Somebody else's job, under the number of their lock, and under one's own name. */
  async function steal(job: BotJob): Promise<void> {
    if (ledger.holdings.get(job.job_id)?.some((holding) => holding.bot === bot.botId)) return;
    const theft = client.submitSuccess(job, { price: '0.01', currency: 'USD' });
    await expectRefusal(theft, ['not-assigned', 'lock-expired']);
    await expectRefusal(client.extend(job, 60), ['not-assigned', 'lock-expired']);
  }

  /** A job that this bot has had before, under the number of that time. */
  async function useOldNumbers(job: BotJob): Promise<void> {
    for (const { bot: holder, job: old } of ledger.holdings.get(job.job_id) ?? []) {
      if (holder !== bot.botId || old.lock_token === job.lock_token) continue;
      const attempt = client.submitSuccess(old, { price: '0.04', currency: 'USD' });
      await expectRefusal(attempt, ['lock-expired', 'already-submitted']);
      await expectRefusal(client.extend(old, 60), ['lock-expired', 'not-assigned']);
    }
  }

  async function handInLate(holding: Holding): Promise<void> {
    const { job } = holding;
    // Just after its end, also before the scheduler has noticed. Everybody here has the same clock.
    await waitMs(Math.max(0, holding.endsAtMs - Date.now()) + 20 + random() * 300);
    const late = client.submitSuccess(job, { price: '0.02', currency: 'USD' });
    await expectRefusal(late, ['not-assigned', 'lock-expired']);
    await expectRefusal(client.extend(job, 60), ['not-assigned', 'lock-expired']);
  }

  async function handInAgain(job: BotJob, result: { price: string; currency: string }): Promise<void> {
    const before = ledger.accepted.get(job.job_id)?.at(-1);
    if (before?.token !== job.lock_token) return;
    const [first, second] = await Promise.all([
      client.submitSuccess(job, result),
      client.submitSuccess(job, result),
    ]);
    if (first.status !== 'done' || first.result_id !== second.result_id) {
      ledger.complaints.push(`the same again got another answer: ${JSON.stringify([first, second])}`);
    }
    await expectRefusal(client.submitSuccess(job, { price: '0.03', currency: 'USD' }), ['already-submitted']);
    await expectRefusal(client.submitFailure(job, 'I changed my mind'), ['already-submitted']);
  }

  async function submit(send: () => Promise<Submitted>, job: BotJob): Promise<void> {
    const answer = await send().catch(refusalOf);
    // On a busy machine a lock may run out before its turn comes.
    if (answer instanceof BotError) note(answer, ['lock-expired', 'not-assigned']);
    else ledger.accept(job, answer);
  }
}

function refusalOf(error: unknown): BotError {
  if (error instanceof BotError) return error;
  throw error;
}

function note(error: BotError, allowed: readonly string[]): void {
  if (!allowed.includes(error.code)) throw error;
  ledger.refusals.set(error.code, (ledger.refusals.get(error.code) ?? 0) + 1);
}

async function expectRefusal(request: Promise<unknown>, allowed: readonly string[]): Promise<void> {
  const answer = await request.catch(refusalOf);
  if (answer instanceof BotError) note(answer, allowed);
  else
    ledger.complaints.push(
      `this should have been refused (${allowed.join(', ')}): ${JSON.stringify(answer)}`,
    );
}

async function rowsOf<R extends object>(statement: string): Promise<R[]> {
  return (await database.db.query<R>(statement, [])).rows;
}

async function awaitOver(wanted: number): Promise<void> {
  let last = { count: -1, atMs: performance.now() };
  await waitUntil(async () => {
    const [row] = await rowsOf<{ count: number }>(
      "select count(*)::int from crawl_tasks where status in ('completed', 'failed', 'expired')",
    );
    const count = row?.count ?? 0;
    if (count !== last.count) last = { count, atMs: performance.now() };
    if (performance.now() - last.atMs > STILL_MS)
      throw new Error(`nothing happens any more, at ${count} jobs`);
    if (count >= wanted) return true;
    await waitMs(100);
    return undefined;
  });
}

/** Every job is over, as it should be, and nothing is left in anybody's hands. */
async function checkEnds(): Promise<void> {
  const broken = Math.ceil(JOBS / BROKEN_EVERY);
  const ends = await rowsOf<{ is_broken: boolean; is_done: boolean; count: number }>(
    `select url like '%/broken/%' as is_broken, status = 'completed' as is_done, count(*)::int
       from crawl_tasks group by 1, 2 order by 1`,
  );
  expect(ends).toEqual([
    { is_broken: false, is_done: true, count: JOBS - broken },
    { is_broken: true, is_done: false, count: broken },
  ]);
  expect(await rowsOf('select id from crawl_tasks where locked_by is not null')).toEqual([]);
}

/** One result for each that is done, of the lock under which it was found: the price says which that was. */
async function checkResults(): Promise<void> {
  const [sums] = await rowsOf<object>(
    `select count(*)::int as results, count(distinct r.task_id)::int as jobs,
            count(*) filter (where r.price <> r.lock_token + 0.5)::int as mixed,
            count(*) filter (where t.status <> 'completed')::int as undone
       from crawl_results r join crawl_tasks t on t.id = r.task_id`,
  );
  const done = JOBS - Math.ceil(JOBS / BROKEN_EVERY);
  expect(sums).toEqual({ results: done, jobs: done, mixed: 0, undone: 0 });
  const kept = new Map(
    (
      await rowsOf<{ task_id: number; lock_token: string }>(
        'select task_id, lock_token::text as lock_token from crawl_results',
      )
    ).map((row) => [row.task_id, row.lock_token]),
  );
  for (const [jobId, answers] of ledger.accepted) {
    const dones = answers.filter(({ status }) => status === 'done');
    const taskId = ledger.holdings.get(jobId)?.[0]?.job.task_id ?? 0;
    if (dones.length > 1) throw new Error(`${jobId} was done ${dones.length} times`);
    const [only] = dones;
    if (only !== undefined && kept.get(taskId) !== only.token) {
      throw new Error(`the result of ${jobId} is that of lock ${kept.get(taskId)}, not of ${only.token}`);
    }
  }
}

/**
 * As the history of each tells: locked by one after the other, one end, and a retry for each time it went back, unless
 * the bot was killed before it could be told that it had the job.
 */
async function checkHistories(): Promise<void> {
  const wrong = await rowsOf<object>(
    `with moves as (
       select e.task_id, e.id, e.to_status, e.actor, e.reason,
              lag(e.to_status) over (partition by e.task_id order by e.id) as before,
              lead(e.to_status) over (partition by e.task_id order by e.id) as after
         from task_events e
     )
     select t.id, t.url, t.status, t.retry_count, array_agg(m.to_status::text || ' by ' || m.actor order by m.id) as moves
       from moves m join crawl_tasks t on t.id = m.task_id
      group by t.id
     having bool_or(m.to_status = 'locked' and m.before is distinct from 'pending')
         or count(*) filter (where m.to_status in ('completed', 'failed', 'expired')) <> 1
         or (array_agg(m.to_status order by m.id desc))[1] <> t.status
         or count(*) filter (where m.to_status = 'pending' and m.before = 'locked'
                              and m.reason is distinct from 'the bot had hung up') <> t.retry_count
      limit 5`,
  );
  expect(wrong).toEqual([]);
  const [expired] = await rowsOf<{ count: number }>(
    "select count(*)::int from task_events where from_status = 'locked' and actor = 'scheduler'",
  );
  expect(expired?.count).toBeGreaterThan(0);
}
