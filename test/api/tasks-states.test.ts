/**
 * Every state of a task × everything a person can do with it, through the API. What is expected comes from the table
 * itself; that the table keeps to the moves of the database is looked at first.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TASK_STATUSES, type TaskStatus } from '../../src/contract/task-shapes.ts';
import {
  judge,
  type MovingAction,
  TASK_ACTIONS,
  type TaskAction,
} from '../../src/control/tasks/task-actions.ts';
import { type ApiAnswer, type ApiClient, startTestServer, type TestServer } from '../support/api.ts';

let server: TestServer;
let admin: ApiClient;
let domainId: number;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
  const { rows } = await server.database.execute<{ id: number }>(
    "insert into domains (domain, parent_domain, base_url) values ('shop.example', 'shop.example', 'https://shop.example') returning id",
  );
  domainId = rows[0]?.id ?? 0;
});
afterAll(() => server.close());

const actions = Object.keys(TASK_ACTIONS) as TaskAction[];
const moving = actions.filter((action): action is MovingAction => action !== 'priority');

/** What the specification says, written down a second time: a slip in the table shows. */
const SPECIFIED: Readonly<Record<TaskAction, { from: string; unchanged: string }>> = {
  pause: { from: 'pending queued crawling parsing', unchanged: 'paused' },
  resume: { from: 'paused', unchanged: 'pending queued' },
  cancel: {
    from: 'pending queued crawling downloaded queued_parse parsing completed failed paused locked expired',
    unchanged: 'cancelled',
  },
  restart: { from: 'completed failed cancelled expired', unchanged: 'pending queued' },
  'restart-parsing': { from: 'completed failed cancelled', unchanged: 'downloaded queued_parse parsing' },
  priority: { from: 'pending queued crawling downloaded queued_parse parsing paused locked', unchanged: '' },
};

test('the table says what was specified', () => {
  const words = (list: readonly string[]): string[] => [...list].sort();
  for (const action of actions) {
    const { from, unchanged } = SPECIFIED[action];
    expect(words(TASK_ACTIONS[action].from), action).toEqual(words(from.split(' ')));
    expect(words(TASK_ACTIONS[action].unchanged), action).toEqual(
      words(unchanged.split(' ').filter(Boolean)),
    );
  }
});

test('the states are those of the database, and every move of the table is a legal one there', async () => {
  const states = await server.database.db.query<{ state: string }>(
    'select unnest(enum_range(null::task_status))::text as state',
  );
  expect(states.rows.map(({ state }) => state).sort()).toEqual([...TASK_STATUSES].sort());
  const legal = await server.database.db.query<{ move: string }>(
    "select from_status || ' > ' || to_status as move from task_status_moves",
  );
  const moves = new Set(legal.rows.map(({ move }) => move));
  for (const action of moving) {
    const { from, to } = TASK_ACTIONS[action];
    for (const status of from) expect(moves, `${action} of ${status}`).toContain(`${status} > ${to}`);
  }
});

let planted = 0;

/** A task in that state, put there past the triggers: nothing has happened to it before. */
async function plant(status: TaskStatus): Promise<number> {
  planted += 1;
  const url = `https://shop.example/${planted}`;
  const hash = createHash('sha256').update(url).digest();
  await server.database.execute("insert into warc_segments (name) values ('states') on conflict do nothing");
  const { rows } = await server.database.execute<{ id: number }>(
    `insert into crawl_tasks (domain_id, url, url_hash, status, retry_count, error_message, segment_id,
                              segment_offset, segment_length, locked_by, lock_version, locked_until, completed_at)
     select $1, $2, $3, $4::task_status, 2, 'it went wrong', s.id, 0, 10,
            case when $4 in ('crawling', 'parsing', 'locked') then 'somebody' end,
            case when $4 = 'crawling' then 7 end,
            case when $4 in ('parsing', 'locked') then now() + interval '1 hour' end,
            case when $4 in ('completed', 'failed', 'cancelled', 'expired') then now() end
       from warc_segments s where s.name = 'states' returning id`,
    [domainId, url, hash, status],
  );
  const id = rows[0]?.id ?? 0;
  await server.database.execute('delete from task_events where task_id = $1', [id]);
  return id;
}

function act(id: number, action: TaskAction): Promise<ApiAnswer> {
  if (action === 'priority') return admin.patch(`/api/admin/tasks/${id}/priority`, { priority: 2 });
  return admin.post(`/api/admin/tasks/${id}/${action}`);
}

async function eventsOf(id: number): Promise<string[]> {
  const { rows } = await server.database.db.query<{ move: string; actor: string }>(
    "select from_status || ' > ' || to_status as move, actor from task_events where task_id = $1 order by id",
    [id],
  );
  for (const { actor } of rows) expect(actor).toMatch(/^user:admin-\d+ \(key \d+\)$/);
  return rows.map(({ move }) => move);
}

/** What the history tells of a move, with what it passes through. */
async function toldMoves(from: TaskStatus, to: TaskStatus): Promise<string[]> {
  const { rows } = await server.database.db.query<{ via: string[] }>(
    'select via::text[] as via from task_status_moves where from_status = $1::task_status and to_status = $2::task_status',
    [from, to],
  );
  const stops = [from, ...(rows[0]?.via ?? []), to];
  return stops.slice(1).map((stop, index) => `${stops[index]} > ${stop}`);
}

interface Changed {
  readonly changed: boolean;
  readonly from: string;
  readonly task: Record<string, unknown>;
}

async function statusOf(id: number): Promise<string | undefined> {
  const { rows } = await server.database.db.query<{ status: string }>(
    'select status::text as status from crawl_tasks where id = $1',
    [id],
  );
  return rows[0]?.status;
}

describe.each(TASK_STATUSES)('a task that is %s', (status) => {
  test.each(actions)('%s: exactly what the table says', async (action) => {
    const id = await plant(status);
    const answer = await act(id, action);
    const verdict = judge(action, status);
    const { to } = TASK_ACTIONS[action];
    if (verdict === 'refuse') {
      expect(answer.problem).toMatchObject({ status: 409, code: 'wrong-state' });
      expect(answer.problem?.detail).toContain(`is ${status}`);
      expect(answer.problem?.hint).toMatch(/^it can be /);
      expect(await statusOf(id)).toBe(status);
      expect(await eventsOf(id)).toEqual([]);
      return;
    }
    expect(answer.status).toBe(200);
    const { changed, from, task } = answer.body as Changed;
    expect(from).toBe(status);
    if (verdict === 'unchanged' || to === undefined) {
      expect(changed).toBe(verdict === 'do');
      expect(await statusOf(id)).toBe(status);
      expect(await eventsOf(id)).toEqual([]);
      if (action === 'priority') expect(task.priority).toBe(2);
      return;
    }
    expect(changed).toBe(true);
    expect(task).toMatchObject({ status: to, lockedBy: null, lockedUntil: null });
    expect(await statusOf(id)).toBe(to);
    expect(await eventsOf(id)).toEqual(await toldMoves(status, to));
    // A second time: it is so already, and nothing more is told.
    const again = await act(id, action);
    expect(again.body).toMatchObject({ changed: false, from: to });
    expect(await eventsOf(id)).toEqual(await toldMoves(status, to));
  });
});
