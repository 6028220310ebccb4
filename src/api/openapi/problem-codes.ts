/** Which refusals a route can give: its own, and those that come with what it takes and who may use it. */
import type { Endpoint } from '../../contract/endpoint.ts';
import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts';

export function problemCodesOf(endpoint: Endpoint): ProblemCode[] {
  const codes = new Set<ProblemCode>(['invalid', 'unknown-host', 'headers-too-large']);
  const add = (isSo: boolean, ...more: ProblemCode[]): void => {
    if (isSo) for (const code of more) codes.add(code);
  };
  add(endpoint.params !== undefined, 'bad-request', 'uri-too-long');
  add(endpoint.body !== undefined, 'bad-json', 'not-json', 'body-too-large');
  add(endpoint.tier !== 'probe', 'rate-limited', 'too-many-at-once', 'cross-site');
  add(endpoint.tier !== 'probe' && endpoint.tier !== 'login', 'bad-key');
  add(endpoint.method !== 'GET', 'disk-full');
  add(endpoint.allows !== 'public', 'not-logged-in', 'not-permitted');
  add(endpoint.isIdempotent === true, 'bad-idempotency-key', 'busy-key', 'reused-key');
  add(true, ...(endpoint.problems ?? []));
  add(true, 'internal', 'database-unavailable', 'too-slow', 'overloaded');
  return [...codes].sort((a, b) => PROBLEMS[a].status - PROBLEMS[b].status);
}
