import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../src/api/openapi/types.ts';
import { makeRoutes } from '../../src/api/routes.ts';
import type { ServerParts } from '../../src/api/server-parts.ts';
import { ROLES } from '../../src/contract/access.ts';
import { PROBLEMS } from '../../src/contract/problems.ts';
import { startTestServer, type TestServer } from '../support/api.ts';

let server: TestServer;
let document: OpenApiDocument;
beforeAll(async () => {
  server = await startTestServer();
  document = (await server.client().get('/api/openapi.json')).body as OpenApiDocument;
});
afterAll(() => server.close());

const endpoints = makeRoutes({} as ServerParts).map(({ endpoint }) => endpoint);
const placeOf = (method: string, path: string): string => `${method.toUpperCase()} ${path}`;

function operationsOf({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** Every object in it, with where it is. */
function* walk(value: unknown, at = '#'): Generator<readonly [string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  yield [at, value as Record<string, unknown>];
  for (const [name, inner] of Object.entries(value)) yield* walk(inner, `${at}/${name}`);
}

describe('GET /api/openapi.json', () => {
  test('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document) as never);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  test('has every route of the server, and no other', () => {
    const described = operationsOf(document).map(({ method, path }) => placeOf(method, path));
    const served = endpoints.map(({ method, path }) => placeOf(method, path.replace(/:(\w+)/g, '{$1}')));
    expect(described.toSorted()).toEqual(served.toSorted());
  });

  test('names every operation, and no two alike', () => {
    const names = operationsOf(document).map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z]+$/);
  });

  test('every reference in it leads somewhere', () => {
    for (const [at, value] of walk(document)) {
      if (typeof value.$ref !== 'string') continue;
      const target = value.$ref
        .slice(2)
        .split('/')
        .reduce<unknown>((inside, name) => (inside as Record<string, unknown> | undefined)?.[name], document);
      expect(target, `${value.$ref} at ${at}`).toBeDefined();
    }
  });

  test('every schema in it is a JSON schema of draft 2020-12, with nothing left of how it was made', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'document', components: document.components });
    let count = 0;
    for (const [at, value] of walk(document)) {
      for (const leftover of ['$schema', '$id', '$defs', 'id']) {
        if (!at.endsWith('/properties')) expect(value, at).not.toHaveProperty(leftover);
      }
      const { schema } = value;
      if (typeof schema !== 'object' || schema === null) continue;
      const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
      expect(() => ajv.compile(JSON.parse(text)), at).not.toThrow();
      count += 1;
    }
    expect(count).toBeGreaterThan(endpoints.length);
  });

  test('every parameter of a path is described, required, and the only one of its name', () => {
    for (const { path, operation } of operationsOf(document)) {
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const given = (operation.parameters ?? []).flatMap((one) =>
        'in' in one && one.in === 'path' && one.required ? [one.name] : [],
      );
      expect(given.toSorted(), path).toEqual(wanted.toSorted());
    }
  });

  test('tells for every operation who may use it and how they show who they are', () => {
    for (const { operation } of operationsOf(document)) {
      const isPublic = operation['x-scope'] === 'public';
      expect(operation.security.length === 0, operation.operationId).toBe(isPublic);
      expect(operation['x-roles'].length).toBeGreaterThan(0);
      for (const role of operation['x-roles']) expect(ROLES).toContain(role);
    }
  });

  test('knows only problems that there are, each under its status, and each problem that a route names', () => {
    for (const { operation } of operationsOf(document)) {
      const known = Object.entries(operation.responses).flatMap(([status, answer]) =>
        (answer['x-codes'] ?? []).map((code) => [code, Number(status)] as const),
      );
      for (const [code, status] of known) expect(PROBLEMS).toHaveProperty([code, 'status'], status);
      const endpoint = endpoints.find(({ name }) => name === operation.operationId);
      for (const code of endpoint?.problems ?? []) expect(known.map(([name]) => name)).toContain(code);
    }
  });

  test('is not sent again to whoever has it', async () => {
    const first = await server.client().get('/api/openapi.json');
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]+"$/);
    const address = new URL('/api/openapi.json', server.url);
    const again = await fetch(address, { headers: { 'if-none-match': `"other", W/${tag}` } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect(again.headers.get('etag')).toBe(tag);
    expect((await fetch(address, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test('a field it does not know is refused', async () => {
    const { problem } = await server.client().get('/api/openapi.json', { nonsense: 1 });
    expect(problem?.code).toBe('invalid');
  });
});

describe('headers', () => {
  const operation = (name: string) => {
    const found = operationsOf(document).find((one) => one.operation.operationId === name)?.operation;
    if (found === undefined) throw new Error(`no operation ${name}`);
    return found;
  };
  const headersOf = (name: string, status: number): string[] =>
    Object.keys(operation(name).responses[status]?.headers ?? {});

  test('what is taken for an Idempotency-Key is what is described as one', async () => {
    const { schema } = document.components.parameters.IdempotencyKey ?? {};
    const client = await server.as('admin');
    const pattern = new RegExp(String(schema?.pattern));
    for (const key of ['a', '!~', 'a b', 'é', 'x'.repeat(255), 'x'.repeat(256)]) {
      const isDescribed = pattern.test(key) && key.length <= Number(schema?.maxLength);
      const { problem } = await client.post(
        '/api/frontier/add',
        { urls: ['https://k.example/'] },
        { 'idempotency-key': key },
      );
      expect(problem?.code === 'bad-idempotency-key', key).toBe(!isDescribed);
    }
  });

  test('each route that takes an Idempotency-Key names its problems and says when an answer is an old one', () => {
    for (const { name, isIdempotent } of endpoints) {
      const { responses } = operation(name);
      const codes = Object.values(responses).flatMap((answer) => answer['x-codes'] ?? []);
      for (const code of ['bad-idempotency-key', 'busy-key', 'reused-key']) {
        expect(codes.includes(code), `${code} of ${name}`).toBe(isIdempotent === true);
      }
      const [status] = Object.keys(responses).filter((one) => Number(one) < 300);
      const names = headersOf(name, Number(status));
      expect(names.includes('Idempotency-Replayed'), name).toBe(isIdempotent === true);
    }
  });

  test.each([
    ['listDomains', 401, 'WWW-Authenticate'],
    ['listDomains', 400, 'RateLimit'],
    ['listDomains', 429, 'Retry-After'],
    ['listDomains', 503, 'Retry-After'],
    ['login', 200, 'Set-Cookie'],
    ['logout', 204, 'Set-Cookie'],
    ['changePassword', 200, 'Set-Cookie'],
  ])('%s with %i describes %s', (name, status, header) => {
    expect(headersOf(name, status)).toContain(header);
  });

  // Whether they are sent is checked with every answer that any test gets (check-answer.ts).
  test('what was made says where it is', async () => {
    const admin = await server.as('admin');
    const made = await admin.post('/api/admin/users', { username: 'anna', role: 'user' });
    expect(made.headers.get('location')).toBe('/api/admin/users/anna');
    expect((await admin.get('/api/admin/users/anna')).status).toBe(200);
    const key = await admin.post('/api/admin/keys', { name: 'a bot' });
    expect((await admin.delete(key.headers.get('location') ?? '')).status).toBe(204);
  });
});

describe('pages for people', () => {
  test('the root leads to the documentation, whatever is in the query', async () => {
    const { status, headers } = await server.client().get('/', { utm_source: 'x' });
    expect([status, headers.get('location')]).toEqual([302, '/api/docs']);
    expect((await fetch(new URL('/?x', server.url))).url).toBe(`${server.url}/api/docs`);
    expect((await server.client().get('/api/docs', { x: '' })).status).toBe(200);
    expect((await server.client().get('/api/docs/docs.css', { v: 2 })).status).toBe(200);
  });

  test('a browser that asks for an icon is told that there is none', async () => {
    const { status, text } = await server.client().get('/favicon.ico');
    expect([status, text]).toEqual([204, '']);
  });
});

describe('GET /api/docs', () => {
  test('shows every operation, and explains every problem where its type leads', async () => {
    const { status, headers, text } = await server.client().get('/api/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    for (const { name } of endpoints) expect(text).toContain(`id="${name}"`);
    for (const code of Object.keys(PROBLEMS)) expect(text).toContain(`<tr id="${code}">`);
  });

  test('has no two parts of the same name, and no link that leads nowhere', async () => {
    const { text } = await server.client().get('/api/docs');
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  });

  test('asks no other host for anything and runs nothing inline, as its policy wants it', async () => {
    const { text, headers } = await server.client().get('/api/docs');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const [, address = ''] of text.matchAll(/(?:src|href|action)="([^"]*)"/g)) {
      expect(address).toMatch(/^(?:#|\/api\/|data:,$)/);
    }
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style| style="| on\w+="/);
  });

  test.each([
    ['/api/docs/docs.css', 'text/css; charset=utf-8'],
    ['/api/docs/docs.js', 'text/javascript; charset=utf-8'],
  ])('%s is served with its type', async (path, type) => {
    const { status, headers, text } = await server.client().get(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(type);
    expect(text.length).toBeGreaterThan(500);
    expect(text).not.toMatch(/https?:\/\//);
  });
});
