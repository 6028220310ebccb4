/**
 * What Forager relies on a search server for, held against both doubles and, wherever FORAGER_TEST_SEARCH_URL names
 * one, against a real server: a double that allows more than the real one would hide mistakes.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectToServer, type SearchTransport } from '../../src/search/elastic/transport.ts';
import { startSearchServerDouble } from '../support/search-server.ts';

const realUrl = process.env.FORAGER_TEST_SEARCH_URL;
const SUBJECTS = [
  { name: 'a double of elasticsearch', double: 'elasticsearch' },
  { name: 'a double of opensearch', double: 'opensearch' },
  ...(realUrl === undefined ? [] : [{ name: 'the server of FORAGER_TEST_SEARCH_URL', double: undefined }]),
] as const;

const ALL = Array.from({ length: 600 }, (_, i) => i + 100).filter((status) => status >= 400);
const properties = {
  ...{
    number: { type: 'integer' },
    text: { type: 'text' },
    word: { type: 'keyword' },
    day: { type: 'date' },
  },
};

describe.each(SUBJECTS)('$name', ({ double }) => {
  const prefix = `laws-${randomBytes(4).toString('hex')}-`;
  const index = `${prefix}one`;
  const alias = `${prefix}alias`;
  let server: SearchTransport;
  let close: () => Promise<void> = async () => undefined;
  beforeAll(async () => {
    const own = double === undefined ? undefined : await startSearchServerDouble(double);
    server = await connectToServer(own?.url ?? realUrl ?? '');
    await send('PUT', `/${index}`, { mappings: { dynamic: false, properties }, aliases: { [alias]: {} } });
    close = async () => {
      for (const name of ['one', 'two', 'made']) await send('DELETE', `/${prefix}${name}`);
      await server.close();
      await own?.close();
    };
  });
  afterAll(() => close());

  const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD', path: string, body?: object) =>
    server.request({ method, path, expects: ALL, ...(body === undefined ? {} : { body }) });
  const statusOf = async (...request: Parameters<typeof send>) => (await send(...request)).status;
  const write = async (
    to: string,
    id: string,
    version: number,
    document: object | undefined,
    isGuarded = true,
  ): Promise<{ status: number; error?: { type: string } }> => {
    const place = { _index: to, _id: id, version, version_type: 'external_gte' };
    const guard = [{ index: { ...place, _id: 'guard' } }, {}];
    const lines = document === undefined ? [{ delete: place }] : [{ index: place }, document];
    if (document === undefined && isGuarded) lines.push(...guard);
    const query = { require_alias: true };
    const { body } = await server.request({ method: 'POST', path: '/_bulk', lines, query });
    const { items } = body as { items: Record<string, { status: number; error?: { type: string } }>[] };
    return Object.values(items[0] ?? {})[0] ?? { status: 0 };
  };

  test('what is older than what is there is refused, also after a deletion', async () => {
    expect((await write(alias, '1', 5, { number: 1 })).status).toBe(201);
    expect((await write(alias, '1', 5, { number: 2 })).status).toBe(200);
    expect(await write(alias, '1', 4, { number: 3 })).toMatchObject({
      status: 409,
      error: { type: 'version_conflict_engine_exception' },
    });
    expect((await write(alias, '1', 6, undefined)).status).toBe(200);
    expect((await write(alias, '1', 5, { number: 4 })).status).toBe(409);
    const absent = await write(alias, '2', 6, undefined);
    expect(absent.status).toBe(404);
    expect(absent.error).toBeUndefined();
    expect((await write(alias, '2', 5, { number: 5 })).status).toBe(409);
  });

  test('an index is never made by mistake where an alias is wanted, but by a deletion alone it is', async () => {
    for (const document of [{ number: 1 }, undefined]) {
      expect(await write(`${prefix}made`, '1', 2, document)).toMatchObject({
        status: 404,
        error: { type: 'index_not_found_exception' },
      });
      expect(await statusOf('HEAD', `/${prefix}made`)).toBe(404);
    }
    expect(await write(index, '1', 9, { number: 1 })).toMatchObject({ status: 404 });
    await write(`${prefix}made`, '1', 2, undefined, false);
    expect(await statusOf('HEAD', `/${prefix}made`)).toBe(200);
  });

  test.each([{ number: 'abc' }, { number: 3_000_000_000 }, { day: 'nonsense' }, { word: { a: 1 } }])(
    '%j does not fit the mapping',
    async (document) => {
      expect(await write(alias, 'misfit', 2, document)).toMatchObject({
        status: 400,
        error: { type: 'mapper_parsing_exception' },
      });
    },
  );

  test.each([
    ['twice', 'one', {}],
    ['with an unknown type', 'bad', { mappings: { properties: { a: { type: 'nothing' } } } }],
    ['with an unknown key', 'bad', { whatever: 1 }],
    ['in large letters', 'Bad', {}],
  ])('an index cannot be made %s', async (_, name, body) => {
    expect(await statusOf('PUT', `/${prefix}${name}`, body)).toBe(400);
  });

  test('aliases are moved all at once or not at all', async () => {
    await send('PUT', `/${prefix}two`, {});
    const move = (...actions: object[]) => statusOf('POST', '/_aliases', { actions });
    const add = { add: { index, alias: `${prefix}other` } };
    expect(await move(add, { remove_index: { index: `${prefix}none` } })).toBe(404);
    expect(await move(add, { whatever: { index } })).toBe(400);
    expect(await move({ add: { index, alias: `${prefix}two` } })).toBe(400);
    expect(await statusOf('GET', `/_alias/${prefix}other`)).toBe(404);
    expect(await move(add, { remove_index: { index: `${prefix}two` } })).toBe(200);
    expect(await statusOf('GET', `/_alias/${prefix}other`)).toBe(200);
    expect(await statusOf('HEAD', `/${prefix}two`)).toBe(404);
    expect(await statusOf('POST', `/${prefix}two/_refresh`)).toBe(404);
  });

  const byNumber = [{ number: { order: 'asc' } }];
  test.each([
    { unknown: 1 },
    { sort: [{ nothing: { order: 'asc' } }] },
    { sort: [{ text: { order: 'asc' } }] },
    { size: 10_001 },
    { sort: byNumber, search_after: [1, 2] },
    { sort: byNumber, search_after: ['x'] },
    { search_after: [1] },
    { query: { nothing: {} } },
    { query: { match: { text: { query: 'x', whatever: 1 } } } },
    { query: { bool: { musst: [] } } },
    { query: { bool: { filter: [{ nothing: {} }] } } },
    { highlight: { whatever: 1, fields: { text: {} } } },
    { highlight: { fields: { text: { whatever: 1 } } } },
    { aggs: { x: { terms: { field: 'text' } } } },
    { aggs: { x: { terms: { field: 'word', whatever: 1 } } } },
    { track_total_hits: 'x' },
  ])('the search %j is refused', async (body) => {
    expect(await statusOf('POST', `/${alias}/_search`, body)).toBe(400);
  });

  test('parameters that it does not know are refused', async () => {
    expect(await statusOf('POST', `/${alias}/_search?whatever=1`, {})).toBe(400);
    expect(await statusOf('POST', `/${prefix}none/_search`, {})).toBe(404);
  });
});
