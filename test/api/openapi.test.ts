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
