/** Whatever is sent to whichever route: it is done or refused with a reason, and never is it a mistake of ours. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleOf } from '../../src/api/docs-page/sample.ts';
import { buildDocument } from '../../src/api/openapi/build-document.ts';
import type { JsonSchema, Operation } from '../../src/api/openapi/types.ts';
import { makeRoutes } from '../../src/api/routes.ts';
import type { ServerParts } from '../../src/api/server-parts.ts';
import type { KeyScope } from '../../src/contract/access.ts';
import { PROBLEMS } from '../../src/contract/problems.ts';
import { startTestServer, type TestServer } from '../support/api.ts';
import { type Dice, makeDice, NASTY_TEXTS, randomValue } from '../support/random-values.ts';

const SEED = 20_250_131;
const TIMES = 30;

const document = buildDocument(makeRoutes({} as ServerParts).map(({ endpoint }) => endpoint));
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...{ name: operation.operationId, method: method.toUpperCase(), path, operation },
  })),
);
type Place = (typeof operations)[number];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const seeds = Array.from({ length: 5 }, (_, index) => `https://site-${index}.example/`);
  const { status } = await (await server.as('admin')).post('/api/frontier/seed', { urls: seeds });
  expect(status).toBeLessThan(300);
});
afterAll(() => server.close());

/** How often which answer was given, over all. */
const statuses = new Map<number, number>();

interface Shot {
  readonly method: string;
  readonly address: string;
  readonly body: string | undefined;
}

/** Of every route its own: others may delete the account that asks. */
async function keyFor({ operation }: Place): Promise<string> {
  const isBots = operation['x-roles'].every((role) => role === 'bot');
  return server.keyOf(isBots ? 'bot' : 'admin', isBots ? (['work'] satisfies KeyScope[]) : undefined);
}

async function shoot({ method, address, body }: Shot, key: string): Promise<void> {
  const abort = new AbortController();
  const response = await fetch(address, {
    ...{ method, signal: abort.signal, redirect: 'manual' },
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const what = `${method} ${address.slice(0, 500)} ${body?.slice(0, 1000) ?? ''}`;
  statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  if (response.status < 400) {
    // A stream has no end.
    abort.abort();
    return;
  }
  expect(isProblem, what).toBe(true);
  const problem = (await response.json()) as { readonly code: string; readonly detail: string };
  expect(PROBLEMS, what).toHaveProperty(problem.code);
  if (response.status >= 500) expect(`${what} → ${problem.code}`).toMatch(/→ (?:too-slow|overloaded)$/);
}

function parametersOf({ parameters = [] }: Operation) {
  return parameters.flatMap((one) => ('schema' in one ? [one] : []));
}

function addressOf({ path, operation }: Place, value: (schema: JsonSchema, name: string) => unknown): string {
  const url = new URL(server.url);
  let filled = path;
  for (const one of parametersOf(operation)) {
    const text = toText(value(one.schema, one.name));
    if (one.in === 'path') filled = filled.replace(`{${one.name}}`, encode(text) || '%20');
    else if (text !== undefined && one.in === 'query') url.searchParams.append(one.name, text);
  }
  return `${url.origin}${filled}${url.search}`;
}

function toText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A lone half of a character cannot be written in an address. */
function encode(text = ''): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(/^\.{1,2}$/, '%2e');
}

function bodySchemaOf({ operation }: Place): JsonSchema | undefined {
  return operation.requestBody?.content['application/json']?.schema;
}

describe.each(operations.map((place) => [place.name, place] as const))('%s', (_name, place) => {
  test('text of every evil kind is done or refused, in every place that takes text', async () => {
    const key = await keyFor(place);
    for (const shot of evilShots(place)) await shoot(shot, key);
  });

  test('random requests of the right form, and of one just beside it, are done or refused', async () => {
    const dice = makeDice(SEED + place.name.length * 7919 + place.name.charCodeAt(3));
    for (let count = 0; count < TIMES; count += 1) {
      // An account that was deleted on the way is refused for another reason: each request has a new one.
      const key = count % 10 === 0 ? await keyFor(place) : await lastKey(place);
      await shoot(randomShot(place, dice), key);
    }
  });
});

test('enough of all that came through the doors for this to mean something', () => {
  const count = (status: number): number => statuses.get(status) ?? 0;
  const total = [...statuses.values()].reduce((sum, one) => sum + one, 0);
  expect(total).toBeGreaterThan(operations.length * TIMES);
  expect(count(200) + count(201) + count(202) + count(204)).toBeGreaterThan(total / 20);
  expect(count(401)).toBeLessThan(total / 5);
});

const keys = new Map<string, Promise<string>>();
function lastKey(place: Place): Promise<string> {
  const known = keys.get(place.name) ?? keyFor(place);
  keys.set(place.name, known);
  return known;
}

function randomShot(place: Place, dice: Dice): Shot {
  const schema = bodySchemaOf(place);
  const address = addressOf(place, (inner, name) => {
    const isPath = place.path.includes(`{${name}}`);
    return isPath || dice.roll(3) > 0 ? randomValue(document, inner, dice) : undefined;
  });
  const body = schema === undefined ? undefined : JSON.stringify(randomValue(document, schema, dice));
  return { method: place.method, address, body };
}

function isText(schema: JsonSchema): boolean {
  const shape = resolved(schema);
  if (shape.anyOf !== undefined) return shape.anyOf.some(isText);
  return shape.type === 'string' || shape.enum !== undefined;
}

function resolved(schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema;
  return document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {};
}

/** One place at a time: what is wrong elsewhere would keep it from getting any further. */
function* evilShots(place: Place): Generator<Shot> {
  const { method, operation } = place;
  const schema = bodySchemaOf(place);
  const sample = schema === undefined ? undefined : sampleOf(document, schema);
  const needed = (inner: JsonSchema, name: string): unknown => {
    const isNeeded = parametersOf(operation).some((one) => one.name === name && one.required);
    return isNeeded ? sampleOf(document, inner) : undefined;
  };
  for (const text of NASTY_TEXTS) {
    const body = sample === undefined ? undefined : JSON.stringify(sample);
    for (const target of parametersOf(operation).filter((one) => isText(one.schema))) {
      const address = addressOf(place, (inner, name) => (name === target.name ? text : needed(inner, name)));
      yield { method, address, body };
    }
    for (const changed of withTextAt(sample, text)) {
      yield { method, address: addressOf(place, needed), body: JSON.stringify(changed) };
    }
  }
}

/** The value, with the text in the place of one of the texts in it, for each of them. */
function* withTextAt(value: unknown, text: string): Generator<unknown> {
  if (typeof value === 'string') yield text;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    for (const changed of withTextAt(inner, text)) {
      if (Array.isArray(value)) yield value.with(Number(name), changed);
      else yield { ...value, [name]: changed };
    }
  }
}
