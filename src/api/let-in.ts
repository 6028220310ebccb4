/**
 * The door: whether a request is one, whether a page of another site sends it, who its sender is, and whether that one
 * may ask for more. What is refused here is counted as well, or keys could be guessed at any speed. What fails because
 * the database is away or slow is nobody's fault: it goes out as it is and costs its sender nothing.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../contract/endpoint.ts';
import type { CredentialGuard } from './credential-guard.ts';
import { guardHost, guardOrigin, guardSite } from './guard-origin.ts';
import { limitRate, type Tally, tallyOf, tallyOfPages } from './limit-rate.ts';
import { Refusal } from './refusal.ts';
import type { ServerLimits } from './server-limits.ts';
import type { ServerParts } from './server-parts.ts';

export interface Door {
  readonly parts: Pick<ServerParts, 'config' | 'limiter'>;
  readonly limits: ServerLimits;
  readonly credentials: CredentialGuard;
}

export async function letIn(
  door: Door,
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint | undefined,
): Promise<void> {
  try {
    guardForm(request, door.limits);
    guardHost(request, door.parts.config);
    if (endpoint?.tier !== 'probe') guardSite(request);
    guardOrigin(request, door.parts.config);
    if (endpoint?.tier !== 'probe' && endpoint?.tier !== 'login') {
      request.principal = await door.credentials.authenticate(request);
    }
  } catch (error) {
    const tally = tallyOfRefusal(door, request, error, endpoint);
    if (tally !== undefined) await limitRate(door.parts, reply, tally);
    throw error;
  }
  await count(door, request, reply, endpoint);
}

/** An address that no router can read: nobody is asked who they are, there is nothing there for anybody. */
export async function turnAway(door: Door, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  try {
    guardHost(request, door.parts.config);
    guardSite(request);
    guardOrigin(request, door.parts.config);
  } catch (error) {
    await limitRate(door.parts, reply, tallyOfPages(door.limits, request));
    throw error;
  }
  await count(door, request, reply, undefined);
}

async function count(
  { parts, limits }: Door,
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint | undefined,
): Promise<void> {
  const tally = tallyOf({ config: parts.config, limits }, request, endpoint);
  if (tally !== undefined) await limitRate(parts, reply, tally);
}

function tallyOfRefusal(
  { parts, limits }: Door,
  request: FastifyRequest,
  error: unknown,
  endpoint: Endpoint | undefined,
): Tally | undefined {
  if (!(error instanceof Refusal) || endpoint?.tier === 'probe') return undefined;
  switch (error.code) {
    case 'cross-site':
    case 'unknown-host':
      return tallyOfPages(limits, request);
    // Nothing was looked at.
    case 'rate-limited':
    case 'overloaded':
      return undefined;
    default:
      return tallyOf({ config: parts.config, limits }, request, endpoint);
  }
}

function guardForm({ raw, headers }: FastifyRequest, { headersCount }: ServerLimits): void {
  if (raw.rawHeaders.length > 2 * headersCount) {
    throw new Refusal('headers-too-large', `A request has at most ${headersCount} header lines.`);
  }
  if (raw.httpVersion !== '1.0' && headers.host === undefined) {
    throw new Refusal('bad-request', 'A request names the host it is for.');
  }
}
