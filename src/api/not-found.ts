/** Requests for what is not there, or is there for other methods. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './path-of.ts';
import { Refusal } from './refusal.ts';
import type { Route } from './route.ts';

export function answerUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  routes: readonly Route[],
): FastifyReply {
  const path = pathOf(request).replace(/(.)\/$/, '$1');
  const methods = methodsAt(path, routes);
  if (methods.length === 0) {
    throw new Refusal('unknown-route', `There is nothing at ${path.slice(0, 200)}.`, {
      hint: '/api/docs shows what there is',
    });
  }
  const allow = methods.join(', ');
  // Nothing of other origins is let in, so there is nothing more to say to a browser that asks.
  if (request.method === 'OPTIONS') return reply.status(204).header('allow', allow).send();
  throw new Refusal('method-not-allowed', `${path.slice(0, 200)} knows ${allow}, not ${request.method}.`, {
    headers: { allow },
  });
}

function methodsAt(path: string, routes: readonly Route[]): string[] {
  const methods = new Set<string>();
  for (const { endpoint } of routes) {
    if (!matches(endpoint.path, path)) continue;
    methods.add(endpoint.method);
    if (endpoint.method === 'GET') methods.add('HEAD');
  }
  return methods.size === 0 ? [] : [...methods, 'OPTIONS'];
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))
  );
}
