/**
 * Tasks through a whole fleet: a scheduler and workers as processes of their own, told of work by PostgreSQL, then by
 * RabbitMQ, in turns, each time on a fresh database. First one task at a time, which tells how long the way is; then
 * all the others in one call, which tells how many go through.
 */
import { setTimeout as waitMs } from 'node:timers/promises';
import { findPostmaster, readFamilySeconds, runMeteredTogether } from './accounting.mjs';
import { inTurns } from './claim.mjs';
import { submitTasks } from './engine.mjs';
import { startRabbit } from './rabbitmq.mjs';
import { startSite } from './start-site.mjs';
import { median, percentile } from './statistics.mjs';
import { assertEnded, withFleet } from './with-fleet.mjs';

const RULES = { unknownDomains: 'create', allowPrivate: true };
const ACTOR = { name: 'bench' };
const MOST_ALONE = 20;
const START_LIMIT_MS = 60_000;
/** Without a single task completed meanwhile. */
const PATIENCE_MS = 60_000;
/** What is measured are the times in the database: looking often would only take from the others. */
const LOOK_EVERY_MS = 200;
const LOOK_CLOSELY_MS = 20;

export async function benchTaskThroughput(options, say) {
  const { taskCount, taskHosts, taskWorkers, taskTurns } = options;
  // The first page of each host is for the tasks that go alone.
  const pagesPerHost = 1 + Math.ceil(taskCount / taskHosts);
  const site = await startSite({ ...options.shape, hosts: taskHosts, pages: taskHosts * pagesPerHost });
  try {
    say('starting RabbitMQ');
    const rabbit = await startRabbit();
    try {
      const carriers = [
        { name: 'PostgreSQL', settings: { AMQP_URL: '' }, readBrokerSeconds: () => 0 },
        { name: 'RabbitMQ', settings: { AMQP_URL: rabbit.url }, readBrokerSeconds: rabbit.readCpuSeconds },
      ];
      const runs = [];
      for (let turn = 0; turn < taskTurns; turn += 1) {
        for (const carrier of inTurns(carriers, turn)) {
          say(`tasks ${turn + 1}/${taskTurns}: ${taskCount} through ${carrier.name}`);
          runs.push(await runOnce(site, { ...carrier, prefix: `bench-${turn}.` }, options));
        }
      }
      const [postgres, rabbitmq] = carriers.map(({ name }) =>
        summarise(runs.filter((run) => run.name === name)),
      );
      return {
        ...{
          tasks: taskCount,
          hosts: taskHosts,
          workers: taskWorkers,
          kb: options.shape.kb,
          turns: taskTurns,
        },
        ...{ postgres, rabbitmq, ratio: rabbitmq.tasksPerSecond / postgres.tasksPerSecond },
      };
    } finally {
      await rabbit.stop();
    }
  } finally {
    await site.stop();
  }
}

async function runOnce(site, carrier, options) {
  const work = async ({ dataDir, db, worker, scheduler }) => {
    const settings = {
      ...carrier.settings,
      FORAGER_AMQP_PREFIX: carrier.prefix,
      FORAGER_DELAY_MS: 0,
      // Otherwise the first to look holds them all, and the others look on.
      FORAGER_MAX_DOMAINS: Math.ceil(options.taskHosts / options.taskWorkers),
    };
    const workers = Array.from({ length: options.taskWorkers }, (_, index) =>
      worker(`bench-worker-${index + 1}`, settings),
    );
    let measuring;
    const outcome = await runMeteredTogether([scheduler(settings), ...workers], {
      dataDir,
      onStart: (children) => {
        measuring = endAfterwards(children, measure({ site, dataDir, db, children, carrier, options }));
      },
    });
    const figures = await measuring.catch((error) => {
      const said = outcome.commands.map(({ stderr }) => stderr.trim().slice(-1000)).join('\n');
      throw new Error(`${carrier.name}: ${error.message}\n${said}`);
    });
    outcome.commands.forEach(assertEnded);
    return { name: carrier.name, ...figures };
  };
  return withFleet(site, work, { isSeeded: false });
}

/** However it went. */
async function endAfterwards(children, measured) {
  try {
    return await measured;
  } finally {
    for (const child of children) child.kill('SIGTERM');
  }
}

async function measure({ site, dataDir, db, children, carrier, options }) {
  await waitForFleet(db, children, options.taskWorkers);
  const alone = [];
  for (let host = 0; host < Math.min(MOST_ALONE, options.taskHosts); host += 1) {
    const [id] = await submit(db, [site.urlOf(host, 0)]);
    await waitUntilCompleted(db, children, id, LOOK_CLOSELY_MS);
    alone.push(...(await readDurations(db, id)));
  }

  const urls = Array.from({ length: options.taskCount }, (_, index) =>
    site.urlOf(index % options.taskHosts, 1 + Math.floor(index / options.taskHosts)),
  );
  const readSeconds = () => ({
    fleet: children.reduce((sum, { pid }) => sum + readFamilySeconds(pid), 0),
    database: readFamilySeconds(findPostmaster(dataDir)),
    broker: carrier.readBrokerSeconds() ?? 0,
  });
  const before = readSeconds();
  const startedAt = performance.now();
  const ids = await submit(db, urls);
  const submitMs = performance.now() - startedAt;
  await waitUntilCompleted(db, children, ids[0], LOOK_EVERY_MS);
  const after = readSeconds();
  const durations = await readDurations(db, ids[0]);
  const windowSeconds = await readWindowSeconds(db, ids[0]);
  const perThousand = (part) => ((after[part] - before[part]) / urls.length) * 1000;
  return {
    tasksPerSecond: urls.length / windowSeconds,
    submitMs,
    ...describeDurations('bulk', durations),
    ...describeDurations('alone', alone),
    cpuSecondsPer1000: perThousand('fleet') + perThousand('database') + perThousand('broker'),
    databaseCpuSecondsPer1000: perThousand('database'),
    brokerCpuSecondsPer1000: perThousand('broker'),
    fetchesTooMany: await countRepeated(site),
  };
}

async function waitForFleet(db, children, workers) {
  const deadline = performance.now() + START_LIMIT_MS;
  for (;;) {
    const { rows } = await db.query(
      `select (select count(*)::int from schedulers where leads_since is not null and stopped_at is null) as leading,
              (select count(*)::int from workers where state = 'running') as workers`,
    );
    if (rows[0].leading === 1 && rows[0].workers === workers) return;
    if (performance.now() > deadline) throw new Error('the fleet did not start');
    assertAlive(children);
    await waitMs(LOOK_EVERY_MS);
  }
}

/** Their numbers, in the given order. */
async function submit(db, urls) {
  const submission = { tasks: urls.map((url) => ({ url })), onError: 'refuse-all' };
  const { ids, problems } = await submitTasks(db, submission, RULES, ACTOR);
  if (problems.length > 0) throw new Error(`a task was refused: ${problems[0].reason}`);
  return ids;
}

/** All from that number on. */
async function waitUntilCompleted(db, children, firstId, everyMs) {
  let leftBefore = Number.POSITIVE_INFINITY;
  let deadline = 0;
  for (;;) {
    const { rows } = await db.query(
      `select status::text as status, count(*)::int as tasks from crawl_tasks
        where id >= $1 and status <> 'completed' group by 1`,
      [firstId],
    );
    const left = rows.reduce((sum, { tasks }) => sum + tasks, 0);
    if (left === 0) return;
    if (left < leftBefore) deadline = performance.now() + PATIENCE_MS;
    leftBefore = left;
    if (performance.now() > deadline || rows.some(({ status }) => status === 'failed')) {
      const states = rows.map(({ status, tasks }) => `${tasks} ${status}`).join(', ');
      throw new Error(`not all tasks were completed: ${states}`);
    }
    assertAlive(children);
    await waitMs(everyMs);
  }
}

function assertAlive(children) {
  if (children.some(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)) {
    throw new Error('a process of the fleet has ended');
  }
}

async function readDurations(db, firstId) {
  const { rows } = await db.query(
    `select extract(epoch from completed_at - created_at)::float8 * 1000 as ms from crawl_tasks where id >= $1`,
    [firstId],
  );
  return rows.map(({ ms }) => ms);
}

async function readWindowSeconds(db, firstId) {
  const { rows } = await db.query(
    `select extract(epoch from max(completed_at) - min(created_at))::float8 as seconds
       from crawl_tasks where id >= $1`,
    [firstId],
  );
  return rows[0].seconds;
}

function describeDurations(name, values) {
  return Object.fromEntries(
    [50, 95, 99].map((percent) => [
      `${name}Percentile${percent}Ms`,
      percent === 50 ? median(values) : percentile(values, percent),
    ]),
  );
}

async function countRepeated(site) {
  const log = await site.readLog();
  const fetched = [...log.pages.keys()].filter((at) => log.pages[at] >= 0);
  const distinct = new Set(fetched.map((at) => log.hosts[at] * site.pagesPerHost + log.pages[at]));
  return fetched.length - distinct.size;
}

function summarise(runs) {
  const names = Object.keys(runs[0]).filter((name) => name !== 'name');
  return { ...Object.fromEntries(names.map((name) => [name, median(runs.map((run) => run[name]))])), runs };
}
