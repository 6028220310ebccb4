/** Every answer that a test gets is held against the contract: the right form, and nothing in it that is not promised. */
import { expect } from 'vitest';
import { buildDocument } from '../../src/api/openapi/build-document.ts';
import { makeRoutes } from '../../src/api/routes.ts';
import type { ServerParts } from '../../src/api/server-parts.ts';
import { ANSWER_HEADERS } from '../../src/contract/answer-headers.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { problem } from '../../src/contract/problems.ts';

// Building the routes touches nothing that long-lived parts hold.
const endpoints: readonly Endpoint[] = makeRoutes({} as ServerParts).map((route) => route.endpoint);

const { paths } = buildDocument(endpoints);

export function checkAnswer(
  method: string,
  path: string,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: unknown,
): void {
  const endpoint = endpoints.find((one) => one.method === method && matches(one.path, path));
  if (endpoint !== undefined) checkHeaders(endpoint, status, headers);
  // The one answer that looks the same whether all is well or not.
  const isHealth = path === '/health' && status === 503;
  if (status >= 400 && !isHealth) {
    const parsed = problem.strict().parse(body);
    expect(parsed.status).toBe(status);
    return;
  }
  if (endpoint?.answer === undefined) return;
  expect(status).toBe(isHealth ? 503 : (endpoint.status ?? 200));
  // Undeclared fields are dropped by the schema: what is left must be all there was.
  expect(endpoint.answer.parse(body)).toEqual(body);
}

/** Sent now and then: not for every session that ends, not before something is sent again. */
const SOMETIMES = ['Set-Cookie', 'Idempotency-Replayed', 'Retry-After'];

/** No described header is sent undescribed, and when all is well none that is described is missing. */
function checkHeaders(endpoint: Endpoint, status: number, headers: Headers): void {
  const operation = paths[endpoint.path.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()];
  const described = operation?.responses[status]?.headers;
  if (described === undefined) return;
  const names = Object.keys(described);
  const sent = Object.keys(ANSWER_HEADERS).filter((name) => headers.has(name));
  const what = `headers of ${endpoint.name} with ${status}`;
  expect(
    sent.filter((name) => !names.includes(name)),
    `${what} that are sent and not described`,
  ).toEqual([]);
  if (status >= 400) return;
  expect(
    names.filter((name) => !sent.includes(name) && !SOMETIMES.includes(name)),
    `${what} that are described and not sent`,
  ).toEqual([]);
}

/** Routes with a word in a place win over routes with a parameter there: they are listed first. */
function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.replace(/(.)\/$/, '$1').split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith(':') || part === given[index])
  );
}
