/**
 * What handing in, queueing and taking tasks costs when few wait and when a thousand times as many do: two databases
 * of one server that differ in size only, in turns. What a round has changed is put back, outside the time that is
 * measured.
 */
import { readFileSync } from 'node:fs';
import { inTurns, withDatabases } from './claim.mjs';
import { openServer } from './engine.mjs';
import { migrateDatabase, prepareDataDir, removeDataDir } from './forager.mjs';
import { connect, databaseUrl } from './population.mjs';
import { median, percentile } from './statistics.mjs';
import { LOT, openSteps, WORKER } from './task-steps.mjs';

const POPULATION = readFileSync(new URL('./task-population.sql', import.meta.url), 'utf8');
const SMALL_WAITING = 1000;
/** As many as the scheduler queues in one transaction. */
const PORTION = 1000;
const WORK_DOMAINS = 5;
/** The first change of a page after a checkpoint is written to the log as a whole page; indexes have many of them. */
const WARM_UP_ROUNDS = 20;

/** What was handed in is gone again. */
const FORGET = `
  with gone as (delete from crawl_tasks where id >= $1 returning id, domain_id),
       history as (delete from task_events where task_id >= $1)
  update domains set task_priority = null where id in (select domain_id from gone)`;
/** What was queued waits again, at the end of the queue. */
const UNQUEUE = `
  with back as (
    update crawl_tasks set status = 'pending', scheduled_at = clock_timestamp() - interval '1 hour'
     where status = 'queued' returning id, domain_id),
       history as (delete from task_events e using back b where e.task_id = b.id and e.to_status = 'queued')
  update domains set task_priority = null where id in (select domain_id from back)`;
/** What was taken is queued again, at the end of the queue. */
const PUT_BACK = `
  with back as (
    update crawl_tasks
       set status = 'queued', priority = 10, scheduled_at = clock_timestamp(), locked_by = null, lock_version = null,
           locked_at = null, started_at = null
     where domain_id = $1 and status = 'crawling' returning id)
  delete from task_events e using back b where e.task_id = b.id and e.to_status = 'crawling'`;

export async function benchTaskGrowth(options, say) {
  const sizes = [
    { name: 'small', waiting: SMALL_WAITING },
    { name: 'large', waiting: options.taskWaiting },
  ];
  const dataDir = await prepareDataDir();
  try {
    await createDatabases(dataDir, sizes);
    const steps = [];
    for (const [kind, round] of [
      ['mixed', roundAmongMixed],
      ['due', roundAmongDue],
    ]) {
      await fill(dataDir, sizes, kind, say);
      say(`tasks, ${kind}: ${options.taskRounds} rounds on each size, in turns`);
      const timings = await measure(dataDir, sizes, round, options.taskRounds);
      steps.push(...describe(timings, sizes, kind));
    }
    return { sizes, portion: PORTION, lot: LOT, rounds: options.taskRounds, steps };
  } finally {
    await removeDataDir(dataDir);
  }
}

async function createDatabases(dataDir, sizes) {
  const server = await openServer(dataDir);
  try {
    for (const { name } of sizes) {
      await onConnection(server.url, (client) => client.query(`create database ${name}`));
      await migrateDatabase(databaseUrl(server, name));
    }
  } finally {
    await server.close();
  }
}

async function fill(dataDir, sizes, kind, say) {
  const server = await openServer(dataDir);
  try {
    for (const { name, waiting } of sizes) {
      const startedAt = performance.now();
      await onConnection(databaseUrl(server, name), async (client) => {
        await client.query(
          `set bench.tasks = ${waiting}; set bench.kind = '${kind}'; set bench.worker = '${WORKER}'`,
        );
        await client.query(POPULATION);
        // What autovacuum would have done long ago.
        await client.query('vacuum analyze');
        await client.query('checkpoint');
      });
      const seconds = (performance.now() - startedAt) / 1000;
      say(`${waiting} waiting tasks made in ${seconds.toFixed(0)} s (${kind})`);
    }
  } finally {
    await server.close();
  }
}

async function onConnection(url, work) {
  const client = await connect(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function measure(dataDir, sizes, round, rounds) {
  return withDatabases(dataDir, sizes, async (databases) => {
    const places = [];
    for (const { name, db, client } of databases) {
      // Putting back is not a move of anybody's.
      await client.query('set session_replication_role = replica');
      const { rows } = await client.query(
        'select id::int, domain, version::int from domains where claimed_by = $1 order by id',
        [WORKER],
      );
      const leases = rows.map(({ id, domain, version }) => ({
        ...{ domainId: id, domain, parentDomain: domain, version },
      }));
      places.push({ name, client, leases, steps: await openSteps(db) });
    }
    try {
      const timings = [];
      for (let number = -WARM_UP_ROUNDS; number < rounds; number += 1) {
        for (const place of inTurns(places, number)) {
          const note = (step, ms) => timings.push({ name: place.name, step, ms });
          await round(place, number, number < 0 ? () => undefined : note);
        }
      }
      return timings;
    } finally {
      for (const { steps } of places) await steps.close();
    }
  });
}

/** Half of what waits has its time later, half is queued; what is handed in is due at once, for other domains. */
async function roundAmongMixed({ name, client, leases, steps }, number, note) {
  const [giant, ...others] = leases;
  const firstId = await handIn(steps, others, number, note);
  const queued = await timed('queued', note, steps.queuePortion);
  assertCount(name, queued, PORTION);
  for (const lease of others) {
    const { due } = await timed('taken', note, () => steps.take(lease));
    assertCount(name, due.length, PORTION / WORK_DOMAINS);
  }
  await client.query(FORGET.replaceAll('$1', String(firstId)));

  const lot = await timed('taken of the domain that has a quarter of them', note, () => steps.take(giant));
  assertCount(name, lot.due.length, LOT);
  await client.query(PUT_BACK.replaceAll('$1', String(giant.domainId)));
}

/** Everything that waits is due: a backlog that the scheduler works off. */
async function roundAmongDue({ name, client, leases, steps }, number, note) {
  const firstId = await handIn(steps, leases.slice(1), number, note);
  await client.query(FORGET.replaceAll('$1', String(firstId)));
  const queued = await timed('queued', note, steps.queuePortion);
  assertCount(name, queued, PORTION);
  await client.query(UNQUEUE);
}

/** The first of their numbers. */
async function handIn(steps, leases, number, note) {
  const urls = Array.from(
    { length: PORTION },
    (_, index) => `https://${leases[index % leases.length].domain}/round-${number}/page-${index}.html`,
  );
  const ids = await timed('handed in', note, () => steps.submit(urls));
  return Math.min(...ids);
}

async function timed(step, note, work) {
  const startedAt = performance.now();
  const result = await work();
  note(step, performance.now() - startedAt);
  return result;
}

function assertCount(name, count, wanted) {
  if (count !== wanted) throw new Error(`${name}: ${count} tasks instead of ${wanted}`);
}

function describe(timings, sizes, kind) {
  return [...new Set(timings.map(({ step }) => step))].map((step) => {
    const [small, large] = sizes.map(({ name }) => {
      const values = timings.filter((each) => each.name === name && each.step === step).map(({ ms }) => ms);
      return { times: values.length, medianMs: median(values), percentile95Ms: percentile(values, 95) };
    });
    return { kind, step, small, large, ratio: large.medianMs / small.medianMs };
  });
}
