/** Parsers over HTTP: which there are, and how well they do. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { plantParseHours } from '../support/parse-hours.ts';
import { plantDomain } from '../support/scheduling.ts';

let server: TestServer;
let user: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  user = await server.as('user');
});
afterAll(() => server.close());
beforeEach(() => server.database.execute('delete from domains'));

interface Parser {
  readonly name: string;
  readonly [field: string]: unknown;
}

async function list(): Promise<Parser[]> {
  const { status, body } = await user.get('/api/parsers');
  expect(status).toBe(200);
  return (body as { items: Parser[] }).items;
}

describe('GET /api/parsers', () => {
  test('lists those that come along before anything was read', async () => {
    const parsers = await list();
    expect(parsers.map(({ name }) => name)).toEqual([
      'generic',
      'amazon',
      'moss-and-marrow',
      'tinker-and-sons',
    ]);
    expect(parsers[0]).toMatchObject({
      ...{ version: expect.any(String), origin: 'built-in', problem: null, domains: 0, versions: [] },
      lastDay: { pages: 0, valid: 0, partial: 0, invalid: 0, lost: 0, failed: 0, rate: null },
    });
  });

  test('tells how each did in the last 24 hours, its versions, and how many domains have it', async () => {
    const a = await plantDomain(server.database, 'a.example', { parser_name: 'amazon' });
    const b = await plantDomain(server.database, 'b.example', { parser_name: 'amazon' });
    await plantDomain(server.database, 'c.example', { parser_name: 'none' });
    const amazon = { parser: 'amazon' };
    await plantParseHours(server.database, {
      ...amazon,
      domainId: a,
      version: '2',
      hoursAgo: 1,
      valid: 5,
      partial: 2,
    });
    await plantParseHours(server.database, {
      ...amazon,
      domainId: b,
      version: '2',
      hoursAgo: 20,
      valid: 1,
      lost: 1,
      failed: 1,
    });
    await plantParseHours(server.database, { ...amazon, domainId: a, version: '1', hoursAgo: 30, valid: 9 });
    const parsers = await list();
    expect(parsers.map(({ name }) => name)).not.toContain('none');
    expect(parsers.find(({ name }) => name === 'amazon')).toMatchObject({
      ...{ origin: 'bundled', domains: 2 },
      lastDay: { pages: 200, valid: 6, partial: 2, invalid: 0, lost: 1, failed: 1, rate: 0.6 },
      versions: [
        { version: '2', pages: 200 },
        { version: '1', pages: 100 },
      ],
    });
  });

  test('shows one that domains ask for and that is not there', async () => {
    await plantDomain(server.database, 'a.example', { parser_name: 'gone-shop' });
    expect((await list()).find(({ name }) => name === 'gone-shop')).toMatchObject({
      ...{ version: null, origin: null, domains: 1, problem: 'there is no parser of that name here' },
    });
  });

  test('is for those who may read', async () => {
    expect((await server.client().get('/api/parsers')).status).toBe(401);
    expect((await (await server.as('bot')).get('/api/parsers')).status).toBe(403);
  });
});

describe('GET /api/parsers/:name', () => {
  test('tells by day and version, and the domains it does worst on first', async () => {
    const well = await plantDomain(server.database, 'well.example');
    const badly = await plantDomain(server.database, 'badly.example');
    await plantParseHours(server.database, { domainId: well, hoursAgo: 1, valid: 10 });
    await plantParseHours(server.database, { domainId: badly, hoursAgo: 1, valid: 1, partial: 3 });
    await plantParseHours(server.database, {
      domainId: badly,
      hoursAgo: 48,
      version: '0',
      valid: 8,
      invalid: 2,
    });
    const { status, body } = await user.get('/api/parsers/generic');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'generic',
      worstDomains: [
        { domain: 'badly.example', version: '1', valid: 1, partial: 3, rate: 0.25, rateBefore: 0.8 },
        { domain: 'well.example', rate: 1, rateBefore: null },
      ],
    });
    const { days } = body as { days: { day: string; version: string; valid: number; rate: number }[] };
    expect(days.reduce((sum, { valid }) => sum + valid, 0)).toBe(19);
    expect(days.at(-1)).toMatchObject({ version: '0', valid: 8, rate: 0.8 });
    expect(days.map(({ day }) => day)).toEqual([...days.map(({ day }) => day)].sort().reverse());
    const only = (await user.get('/api/parsers/generic', { domain: 'well.example', days: 1 })).body;
    expect(only).toMatchObject({ worstDomains: [{ domain: 'well.example' }], days: [{ valid: 10 }] });
  });

  test('refuses what it does not know', async () => {
    expect((await user.get('/api/parsers/amazone')).problem).toMatchObject({
      ...{ status: 404, code: 'unknown-parser', hint: expect.stringContaining('did you mean "amazon"?') },
    });
    expect((await user.get('/api/parsers/generic', { domain: 'nowhere.example' })).problem).toMatchObject({
      code: 'unknown-domain',
    });
    expect((await user.get('/api/parsers/generic', { days: 91 })).problem).toMatchObject({ status: 400 });
    expect((await user.get('/api/parsers/generic', { day: 1 })).problem).toMatchObject({ status: 400 });
  });

  test('is for those who may read', async () => {
    expect((await server.client().get('/api/parsers/generic')).status).toBe(401);
    expect((await (await server.as('bot')).get('/api/parsers/generic')).status).toBe(403);
  });
});

describe('the parser of a domain', () => {
  test('is one that there is, or none', async () => {
    const admin = await server.as('admin');
    await plantDomain(server.database, 'a.example');
    const path = '/api/admin/domains/a.example';
    for (const parserName of ['amazon', 'none', 'generic']) {
      expect((await admin.patch(path, { parserName })).body).toMatchObject({ parserName });
    }
    expect((await admin.patch(path, { parserName: 'moss-and-marow' })).problem).toMatchObject({
      ...{
        status: 400,
        code: 'bad-parser',
        hint: expect.stringContaining('did you mean "moss-and-marrow"?'),
      },
    });
    expect(
      (await admin.post('/api/admin/domains', { domain: 'b.example', parserName: 'x' })).problem,
    ).toMatchObject({
      code: 'bad-parser',
    });
  });
});
