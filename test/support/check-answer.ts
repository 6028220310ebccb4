/** Every answer that a test gets is held against the contract: the right form, and nothing in it that is not promised. */
import { expect } from 'vitest';
import { makeRoutes } from '../../src/api/routes.ts';
import type { ServerParts } from '../../src/api/server-parts.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { problem } from '../../src/contract/problems.ts';

// Building the routes touches nothing that long-lived parts hold.
const endpoints: readonly Endpoint[] = makeRoutes({} as ServerParts).map((route) => route.endpoint);

export function checkAnswer(method: string, path: string, status: number, body: unknown): void {
  // The one answer that looks the same whether all is well or not.
  const isHealth = path === '/health' && status === 503;
  if (status >= 400 && !isHealth) {
    const parsed = problem.strict().parse(body);
    expect(parsed.status).toBe(status);
    return;
  }
  const endpoint = endpoints.find((one) => one.method === method && matches(one.path, path));
  if (endpoint?.answer === undefined) return;
  expect(status).toBe(isHealth ? 503 : (endpoint.status ?? 200));
  // Undeclared fields are dropped by the schema: what is left must be all there was.
  expect(endpoint.answer.parse(body)).toEqual(body);
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
