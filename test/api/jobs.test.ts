import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';

let server: TestServer;
let admin: ApiClient;
let user: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
  user = await server.as('user');
});
afterAll(() => server.close());
beforeEach(() => server.database.execute('truncate jobs, audit_log'));

/** A job that nobody but the test is at. */
async function plantJob(state: string, kind = 'purge-pages'): Promise<number> {
  const isOver = state === 'done' || state === 'failed' || state === 'cancelled';
  const { rows } = await server.database.execute<{ id: number }>(
    `insert into jobs (kind, params, state, created_by, runner, runner_until, finished_at, done_count, total_count)
     values ($1, '{"recrawl": false}', $2, 'user:anna', 'test', now() + interval '1 hour',
             case when $3 then now() end, 3, 10) returning id`,
    [kind, state, isOver],
  );
  return rows[0]?.id ?? 0;
}

interface JobBody {
  readonly id: number;
  readonly state: string;
  readonly isCancelRequested: boolean;
}
interface ListBody {
  readonly items: readonly JobBody[];
  readonly nextCursor: string | null;
}

describe('GET /api/jobs', () => {
  test('gives every job once, the newest first, however small the pages', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await plantJob('done'));
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string | number> = cursor === null ? { limit: 2 } : { limit: 2, cursor };
      const body = (await user.get('/api/jobs', query)).body as ListBody;
      expect(body.items.length).toBeLessThanOrEqual(2);
      seen.push(...body.items.map(({ id }) => id));
      cursor = body.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(ids.toReversed());
  });

  test('gives those in a state, and those of a kind', async () => {
    const running = await plantJob('running');
    const deleting = await plantJob('done', 'delete-domain');
    const of = async (query: Record<string, string>): Promise<number[]> =>
      ((await user.get('/api/jobs', query)).body as ListBody).items.map(({ id }) => id);
    expect(await of({ state: 'running' })).toEqual([running]);
    expect(await of({ kind: 'delete-domain' })).toEqual([deleting]);
    expect(await of({ kind: 'delete-domain', state: 'running' })).toEqual([]);
  });

  test.each([{ state: 'lost' }, { kind: 'anything' }, { limit: 0 }, { limit: 1000 }, { page: 2 }])(
    'refuses %o',
    async (query) => {
      expect((await user.get('/api/jobs', query)).problem).toMatchObject({ status: 400, code: 'invalid' });
    },
  );

  test('refuses a cursor that is none of its own', async () => {
    for (const cursor of ['nonsense', Buffer.from('["pages:desc",3]').toString('base64url')]) {
      expect((await user.get('/api/jobs', { cursor })).problem).toMatchObject({ code: 'bad-cursor' });
    }
  });

  test('is for those who may read', async () => {
    expect((await server.client().get('/api/jobs')).problem?.code).toBe('not-logged-in');
    expect((await (await server.as('bot')).get('/api/jobs')).problem?.code).toBe('not-permitted');
  });
});

describe('GET /api/jobs/:id', () => {
  test('shows how far it is', async () => {
    const id = await plantJob('running');
    const { status, body } = await user.get(`/api/jobs/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ id, kind: 'purge-pages', state: 'running', done: 3, total: 10 },
      ...{ createdBy: 'user:anna', params: { recrawl: false }, result: null, finishedAt: null },
    });
  });

  test('knows no other jobs than those there are', async () => {
    expect((await user.get('/api/jobs/987654')).problem).toMatchObject({ status: 404, code: 'unknown-job' });
    for (const id of ['0', '-1', 'x', '1.5', '99999999999999999999']) {
      expect((await user.get(`/api/jobs/${id}`)).problem).toMatchObject({ status: 400, code: 'invalid' });
    }
  });

  test('is for those who may read', async () => {
    const id = await plantJob('done');
    expect((await server.client().get(`/api/jobs/${id}`)).status).toBe(401);
    expect((await (await server.as('bot')).get(`/api/jobs/${id}`)).status).toBe(403);
  });
});

describe('POST /api/jobs/:id/cancel', () => {
  test('asks a running job to stop; asking twice is harmless, and recorded once', async () => {
    const id = await plantJob('running');
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await admin.post(`/api/jobs/${id}/cancel`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ id, state: 'running', isCancelRequested: true });
    }
    const { rows } = await server.database.db.query(
      'select action, target, actor, details, address from audit_log',
    );
    expect(rows).toEqual([
      {
        ...{ action: 'job.cancel', target: `job ${id}`, details: { kind: 'purge-pages' } },
        ...{ actor: expect.stringMatching(/^user:admin-\d+ \(key \d+\)$/), address: '127.0.0.1' },
      },
    ]);
  });

  test.each(['done', 'failed', 'cancelled'])('cannot stop one that is %s', async (state) => {
    const id = await plantJob(state);
    const { problem } = await admin.post(`/api/jobs/${id}/cancel`);
    expect(problem).toMatchObject({ status: 409, code: 'job-over' });
    expect((await user.get(`/api/jobs/${id}`)).body).toMatchObject({ state, isCancelRequested: false });
  });

  test('knows no other jobs than those there are', async () => {
    expect((await admin.post('/api/jobs/987654/cancel')).problem?.code).toBe('unknown-job');
  });

  test('is for those who may manage', async () => {
    const id = await plantJob('running');
    expect((await server.client().post(`/api/jobs/${id}/cancel`)).status).toBe(401);
    for (const role of ['user', 'bot'] as const) {
      expect((await (await server.as(role)).post(`/api/jobs/${id}/cancel`)).problem?.code).toBe(
        'not-permitted',
      );
    }
    const reader = await server.as('admin', ['read', 'crawl', 'accounts']);
    expect((await reader.post(`/api/jobs/${id}/cancel`)).problem?.code).toBe('not-permitted');
    expect((await user.get(`/api/jobs/${id}`)).body).toMatchObject({ isCancelRequested: false });
  });
});
