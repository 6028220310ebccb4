/** `forager policy …` and `forager scheduler list`, as somebody types them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type CliRun, runForager } from '../support/run-cli.ts';
import { moveTask, tick } from '../support/scheduling.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const forager = (...args: readonly string[]): Promise<CliRun> =>
  runForager(args, { env: { DATABASE_URL: database.url, NO_COLOR: '1' } });

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

async function add(url: string, ...more: readonly string[]): Promise<number> {
  const run = await forager('policy', 'add', url, '--every', '6h', '--json', ...more);
  if (run.code !== 0) throw new Error(run.stderr);
  return Number(run.json()[0]?.id);
}

test('the life of a policy: made, run, shown, switched, changed, removed', async () => {
  const made = await forager('policy', 'add', 'https://a.example/deals', '--every', '90m', '--priority', '2');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toMatch(/^Policy \d+ is for https:\/\/a\.example\/deals\.\nIt is run at once\.\n$/);
  const id = /\d+/.exec(made.stdout)?.[0] ?? '';

  const run = await forager('policy', 'run', id, '--json');
  expect(run.json()).toMatchObject([{ changed: true, frequencyHours: 1.5, priority: 2 }]);
  const task = Number(run.json()[0]?.taskId);
  const again = await forager('policy', 'run', id);
  expect(again.stdout).toBe(`Nothing to do: task ${task} is for that page already (pending).\n`);

  await tick(database);
  const off = await forager('policy', 'disable', id);
  expect(off.stdout).toContain(
    `Policy ${id} is off: there are no further runs.\nIts task ${task} (queued) goes on`,
  );
  expect((await forager('policy', 'disable', id)).stdout).toContain('off already');
  await moveTask(database, task, 'crawling', 'completed');

  const shown = await forager('policy', 'show', id);
  expect(shown.stdout).toContain('https://a.example/deals');
  expect(shown.stdout).toMatch(new RegExp(`^\\s+${task}\\s+completed`, 'm'));
  expect((await forager('policy', 'show', id, '--json')).json()).toMatchObject([
    { id: Number(id), isEnabled: false, runs: [{ taskId: task, status: 'completed' }] },
  ]);

  expect((await forager('policy', 'enable', id)).stdout).toContain(`Policy ${id} is on; it is due `);
  const set = await forager('policy', 'set', id, '--every', '2d', '--retries', '0', '--json');
  expect(set.json()).toMatchObject([{ frequencyHours: 48, maxRetries: 0, priority: 2 }]);

  expect((await forager('policy', 'remove', id)).stdout).toContain(`Policy ${id} is gone; its tasks stay.`);
  const { rows } = await database.db.query('select status, policy_id from crawl_tasks where id = $1', [task]);
  expect(rows).toEqual([{ status: 'completed', policy_id: null }]);
  expect(await forager('policy', 'show', id)).toMatchObject({ code: 1, stdout: '' });
  const acts = await database.db.query<{ action: string; actor: string }>(
    'select action, actor from audit_log where target = $1 order by id',
    [`policy ${id}`],
  );
  expect(acts.rows.map(({ action }) => action)).toEqual([
    ...['policy.create', 'policy.run', 'policy.disable', 'policy.enable', 'policy.change', 'policy.delete'],
  ]);
  expect(acts.rows.every(({ actor }) => actor.startsWith('cli:'))).toBe(true);
});

test('the list is filtered and sorted, and says when there is more', async () => {
  const late = await add('https://list.example/late', '--first', inHours(9));
  const soon = await add('https://list.example/soon', '--first', inHours(1), '--disabled');
  const list = async (...more: readonly string[]): Promise<unknown[]> =>
    (await forager('policy', 'list', '--domain', 'list.example', '--json', ...more))
      .json()
      .map(({ id }) => id);
  expect(await list()).toEqual([soon, late]);
  expect(await list('--sort', 'next-run')).toEqual([soon, late]);
  expect(await list('--enabled')).toEqual([late]);
  expect(await list('--disabled')).toEqual([soon]);
  expect(await list('--search', 'LATE')).toEqual([late]);
  expect(await list('--failing')).toEqual([]);
  const cut = await forager('policy', 'list', '--domain', 'list.example', '--limit', '1');
  expect(cut.stderr).toContain('The first 1 policies');
  expect(cut.stdout).toContain('https://list.example/soon');
  expect(cut.stdout).toContain('off');
});

test('a second policy for a page names the first', async () => {
  const id = await add('https://twice.example/');
  const run = await forager('policy', 'add', 'https://twice.example/#x', '--every', '1h');
  expect(run.code).toBe(1);
  expect(run.stderr).toContain(`Policy ${id} is for https://twice.example/ already.`);
});

test('a task of the page that is for later, or paused, is its first run: which, when, and what to do', async () => {
  const order = async (url: string): Promise<number> =>
    Number((await forager('task', 'submit', url, '--at', '2d', '--json')).json()[0]?.id);
  const later = await order('https://later.example/');
  const made = await forager('policy', 'add', 'https://later.example/', '--every', '1m');
  const [policy = ''] = /\d+/.exec(made.stdout) ?? [];
  expect(made.stdout).toContain(
    `Task ${later} is for that page already (pending): it counts as its first run.\nIt is due `,
  );
  expect(made.stdout).toContain(`"npx forager policy run ${policy}" brings it forward.`);
  expect((await forager('policy', 'show', policy)).stdout).toMatch(
    new RegExp(`next run +when task ${later} is over, which is scheduled for 2`),
  );
  expect((await forager('policy', 'run', policy)).stdout).toBe(
    `Policy ${policy} is run now: task ${later}, which was to run later, is due.\n`,
  );

  const paused = await order('https://paused.example/');
  await forager('task', 'pause', String(paused));
  const other = await forager('policy', 'add', 'https://paused.example/', '--every', '1h');
  const resume = `"npx forager task resume ${paused}" lets it go on.`;
  expect(other.stdout).toContain(`It is paused: ${resume}`);
  const run = await forager('policy', 'run', /\d+/.exec(other.stdout)?.[0] ?? '');
  expect(run.stdout).toBe(`Task ${paused} is for that page already, and is paused: ${resume}\n`);
});

test('what its tasks follow is set and shown', async () => {
  const id = String(await add('https://deep.example/', '--follow-depth', '2', '--follow-limit', '20'));
  expect((await forager('policy', 'show', id)).stdout).toMatch(/follows +2 deep, 20 a page/);
  expect((await forager('policy', 'set', id, '--follow-depth', '1', '--json')).json()).toMatchObject([
    { followDepth: 1, followLimit: 20 },
  ]);
});

describe('what is wrong with the line', () => {
  test.each([
    [['policy', 'add', 'https://b.example/'], '--every'],
    [['policy', 'add', 'https://b.example/', '--every', '0'], 'more than 0'],
    [['policy', 'add', 'https://b.example/', '--every', '5s'], 'such as 30m, 6h, 7d'],
    [
      ['policy', 'add', 'https://b.example/', '--every', '1h', '--priority', '11'],
      'The --priority is not possible: it must be a whole number from 1 to 10.',
    ],
    [
      ['policy', 'add', 'https://b.example/', '--every', '1h', '--backoff', '0'],
      'The --backoff is not possible: it must be a whole number from 1 to 10080.',
    ],
    [['policy', 'add', 'https://b.example/', '--every', '1h', '--first', 'tomorrow'], 'with its zone'],
    [['policy', 'add', 'https://b.example/', '--every', '1h', '--first', '2001-01-01T00:00:00Z'], 'past'],
    [['policy', 'add', 'ftp://b.example/', '--every', '1h'], 'cannot be crawled'],
    [['policy', 'add', 'http://127.0.0.1/', '--every', '1h'], 'cannot be crawled'],
    [['policy', 'add', 'https://b.example/', '--every', '1h', '--follow-depth', '6'], '--follow-depth'],
    [['policy', 'set', '1'], 'Nothing to set'],
    [['policy', 'run', 'first'], 'whole number'],
  ])('%j', async (args, message) => {
    const run = await forager(...args);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(message);
  });
});

test('a maintenance window is set with its zone, shown, and taken away', async () => {
  await add('https://window.example/');
  const set = (...args: readonly string[]): Promise<CliRun> =>
    forager('domain', 'set', 'window.example', ...args, '--json');
  const done = await set('--maintenance', '23:30-04:00', '--maintenance-timezone', 'Europe/Berlin');
  expect(done.json()).toMatchObject([
    { maintenance: { start: '23:30', end: '04:00', timezone: 'Europe/Berlin' } },
  ]);
  const info = await forager('domain', 'info', 'window.example');
  expect(info.stdout).toContain('every day from 23:30 to 04:00, Europe/Berlin');
  expect((await set('--maintenance', 'default')).json()).toMatchObject([{ maintenance: null }]);
  for (const [args, message] of [
    [['--maintenance', '2-4'], 'such as 02:00-04:00'],
    [['--maintenance', '25:00-26:00'], '--maintenance'],
    [['--maintenance', '02:00-02:00'], 'no length'],
    [['--maintenance', '02:00-04:00', '--maintenance-timezone', 'Mars/Base'], 'no time zone "Mars/Base"'],
    [['--maintenance-timezone', 'Europe/Berlin'], 'needs --maintenance'],
  ] as const) {
    const run = await set(...args);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(message);
  }
});

test('who leads is listed, and that nobody does', async () => {
  expect((await forager('scheduler', 'list')).stdout).toContain('No scheduler has been here within a day.');
  await database.execute(
    `insert into schedulers (id, host, pid, program_version, leads_since, ticks_count, last_tick_ms, heartbeat_at)
     values ('lost', 'h', 7, '1', now(), 3, 12, now() - interval '5 minutes')`,
  );
  const dead = await forager('scheduler', 'list');
  expect(dead.stdout).toMatch(/^lost\s+dead/m);
  expect(dead.stdout).toContain('None of them leads');
  await database.execute(
    "insert into schedulers (id, host, pid, program_version, leads_since) values ('new', 'h', 8, '1', now())",
  );
  expect((await forager('scheduler', 'list', '--json')).json()).toMatchObject([
    { id: 'new', state: 'leading' },
    { id: 'lost', state: 'dead', leadsSince: null },
  ]);
});
