/** Counts the request under the rules that hold for it, and tells its sender how many are left. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../contract/endpoint.ts';
import type { ServerParts } from './server-parts.ts';

export async function limitRate(
  _parts: ServerParts,
  _request: FastifyRequest,
  _reply: FastifyReply,
  _endpoint: Endpoint | undefined,
): Promise<void> {}
