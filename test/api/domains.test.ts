import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/api.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('GET /api/domains', () => {
  test('an empty database has an empty list', async () => {
    const user = await server.as('user');
    const { status, body } = await user.get('/api/domains');
    expect(status).toBe(200);
    expect(body).toEqual({ items: [], nextCursor: null });
  });

  test('anonymous is asked to log in, a bot is not permitted', async () => {
    expect((await server.client().get('/api/domains')).problem?.code).toBe('not-logged-in');
    expect((await (await server.as('bot')).get('/api/domains')).problem?.code).toBe('not-permitted');
  });

  test('a field it does not know is refused by name', async () => {
    const { problem } = await (await server.as('user')).get('/api/domains', { nonsense: 1 });
    expect(problem).toMatchObject({ status: 400, code: 'invalid' });
  });
});
