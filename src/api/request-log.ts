/** One line of the log for each request: who, what, how it ended. Query strings stay out, they may hold secrets. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './path-of.ts';

export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  // Probes come every few seconds and say nothing.
  if (request.routeOptions.config?.endpoint?.tier === 'probe' && reply.statusCode < 400) return;
  request.log.info(
    {
      ...{ method: request.method, path: pathOf(request).slice(0, 300), status: reply.statusCode },
      ...{ ms: Math.round(reply.elapsedTime), address: request.address, actor: request.principal.actor },
    },
    'request',
  );
}
