/**
 * Requests under an Idempotency-Key: done once, answered the same however often they are sent. What the handler
 * answers or refuses (4xx) is kept for a day and given again byte for byte; what went wrong on our side is not, so
 * that sending it again tries again.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IDEMPOTENCY_KEY_PATTERN } from '../contract/answer-headers.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import {
  freeKey,
  type IdempotencyKey,
  type StoredAnswer,
  storeAnswer,
  takeKey,
} from '../control/idempotency/idempotency-keys.ts';
import { Refusal, refusalOf } from './refusal.ts';
import type { ServerParts } from './server-parts.ts';
import type { Given } from './validate.ts';

const KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN);

/** A request as it was validated. */
interface Call extends Given {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export async function answerOnce(
  { db }: Pick<ServerParts, 'db'>,
  endpoint: Endpoint,
  { request, reply, ...given }: Call,
  answer: () => Promise<unknown>,
): Promise<unknown> {
  const key = endpoint.isIdempotent ? readKey(request, endpoint, given) : undefined;
  if (key === undefined) return answer();
  const taken = await takeKey(db, key);
  if (taken.kind === 'answered') return replay(reply, taken.answer);
  if (taken.kind === 'busy') {
    throw new Refusal('busy-key', 'A request with this Idempotency-Key is being worked on.', {
      hint: 'send it again in a moment: it gets the same answer',
      headers: { 'retry-after': '1' },
    });
  }
  if (taken.kind === 'other-request') {
    throw new Refusal('reused-key', 'This Idempotency-Key was used for a request that is not the same.', {
      hint: 'take a new key for each request, and the same one only for sending it again',
    });
  }
  /** If this fails the answer is given nevertheless; the key is free again when its lock runs out. */
  const settle = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => request.log.warn({ err: error }, 'idempotency key not settled'));
  try {
    const body = await answer();
    if (reply.sent) {
      await settle(freeKey(db, key, taken.lock));
      return body;
    }
    const stored = {
      status: reply.statusCode,
      body: body === undefined ? null : JSON.stringify(body),
      location: locationOf(reply),
    };
    await settle(storeAnswer(db, key, taken.lock, stored));
    return send(reply, stored);
  } catch (error) {
    const refusal = refusalOf(error);
    const isFinal = refusal.status < 500 && refusal.status !== 429;
    const body = JSON.stringify(refusal.toProblem(request.id));
    await settle(
      isFinal
        ? storeAnswer(db, key, taken.lock, { status: refusal.status, body, location: null })
        : freeKey(db, key, taken.lock),
    );
    throw error;
  }
}

/** Undefined: none was sent, or by nobody whose keys could be told from those of others. */
function readKey(request: FastifyRequest, endpoint: Endpoint, given: Given): IdempotencyKey | undefined {
  const key = request.headers['idempotency-key'];
  const owner = request.principal.account;
  if (key === undefined || owner === undefined) return undefined;
  if (typeof key === 'string' && KEY.test(key)) {
    return { owner, key, fingerprint: fingerprintOf(given, endpoint) };
  }
  throw new Refusal(
    'bad-idempotency-key',
    'An Idempotency-Key is 1 to 255 visible ASCII characters, no space.',
    {
      hint: 'take a UUID',
    },
  );
}

/**
 * The same for requests that mean the same: made of what was understood. The order of fields is nothing to it, nor
 * whether names are in snake_case, or defaults written out.
 */
function fingerprintOf({ params, query, body }: Given, { method, path }: Endpoint): Buffer {
  const text = JSON.stringify([method, path, ...[params, query, body ?? null].map(inOrder)]);
  return createHash('sha256').update(text).digest();
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const entries = given.sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, inner]) => [name, inOrder(inner)]);
}

function replay(reply: FastifyReply, answer: StoredAnswer): string | undefined {
  reply.header('idempotency-replayed', 'true');
  if (answer.location !== null) reply.header('location', answer.location);
  return send(reply, answer);
}

/** The text itself, so that the first answer and the later ones are the same. */
function send(reply: FastifyReply, { status, body }: StoredAnswer): string | undefined {
  reply.status(status);
  if (body === null) return undefined;
  reply.header('content-type', status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json');
  return body;
}

function locationOf(reply: FastifyReply): string | null {
  const location = reply.getHeader('location');
  return typeof location === 'string' ? location : null;
}
