/**
 * A sorted set in Redis that others put seeds into: member is the site, score its rank. Members are read, not
 * popped; they go when they are safely stored. They travel as bytes, because a member need not be valid text
 * and must still be found again to be removed.
 */
import { createClient, ErrorReply, RESP_TYPES } from '@redis/client';
import { errorCode, PlatformError } from '../../platform/errors.ts';

export interface QueueMember {
  readonly bytes: Buffer;
  /** As Redis writes it. */
  readonly score: string;
}

export interface RedisQueue {
  /** The first `count` members, lowest score first. */
  read(count: number): Promise<QueueMember[]>;
  length(): Promise<number>;
  /** Adds members to the set of bad ones, which is named after this one. */
  setAside(members: readonly QueueMember[]): Promise<void>;
  /** Removes the members whose score is still the one that was read: others were added anew meanwhile. */
  remove(members: readonly QueueMember[]): Promise<void>;
  close(): void;
}

/** Redis is not there, or stopped answering. It may come back; nothing is lost meanwhile. */
export class RedisAway extends PlatformError {
  constructor(message: string, hint: string, cause?: unknown) {
    super('redis-away', message, { hint, cause });
  }
}

const CONNECT_TIMEOUT_MS = 5000;
const ANSWER_TIMEOUT_MS = 20_000;

const REMOVE_UNCHANGED = `
for i = 1, #ARGV, 2 do
  local score = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if score and tonumber(score) == tonumber(ARGV[i + 1]) then redis.call('ZREM', KEYS[1], ARGV[i]) end
end
return 0`;

export async function openRedisQueue(url: string, key: string): Promise<RedisQueue> {
  const where = placeOf(url);
  const client = createClient({
    url,
    // The older protocol: every Redis speaks it.
    RESP: 2,
    disableOfflineQueue: true,
    socket: { connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy: false },
  });
  // Whoever waits for an answer is told; the event would end the process.
  client.on('error', () => undefined);
  const close = (): void => {
    if (client.isOpen) client.destroy();
  };
  const answer = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await withinTime(asked);
    } catch (error) {
      close();
      throw translateRedisError(error, where, key);
    }
  };
  const ask = <T>(...words: (string | Buffer)[]): Promise<T> =>
    answer(client.sendCommand<T>(words, { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } }));

  await answer(client.connect());
  const type = await ask<string>('TYPE', key);
  if (type !== 'zset' && type !== 'none') {
    close();
    throw wrongType(key, `holds a ${type}, not a sorted set`);
  }
  return {
    read: async (count) => {
      const reply = await ask<Buffer[]>('ZRANGE', key, '0', String(count - 1), 'WITHSCORES');
      const members: QueueMember[] = [];
      for (let at = 0; at + 1 < reply.length; at += 2) {
        members.push({ bytes: reply[at] ?? Buffer.alloc(0), score: String(reply[at + 1]) });
      }
      return members;
    },
    length: () => ask<number>('ZCARD', key),
    setAside: async (members) => {
      if (members.length === 0) return;
      await ask('ZADD', badKeyOf(key), ...members.flatMap(({ bytes, score }) => [score, bytes]));
    },
    remove: async (members) => {
      await ask('EVAL', REMOVE_UNCHANGED, '1', key, ...members.flatMap(({ bytes, score }) => [bytes, score]));
    },
    close,
  };
}

export function badKeyOf(key: string): string {
  return `${key}:bad`;
}

/** A server that is stopped or cut off answers nothing at all, and the client would wait for ever. */
async function withinTime<T>(asked: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${ANSWER_TIMEOUT_MS / 1000} s`)),
      ANSWER_TIMEOUT_MS,
    );
  });
  try {
    return await Promise.race([asked, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

function translateRedisError(error: unknown, where: string, key: string): unknown {
  const message = error instanceof Error ? error.message.replace(/[.\s]+$/, '') : String(error);
  if (!(error instanceof ErrorReply)) {
    const why = errorCode(error) ?? message;
    return new RedisAway(
      `Redis at ${where} cannot be reached: ${why}.`,
      'see whether it is running and REDIS_URL is right; what was not stored is still in Redis, run the command again',
      error,
    );
  }
  const [code = ''] = message.split(' ');
  if (['LOADING', 'MASTERDOWN', 'CLUSTERDOWN'].includes(code)) {
    return new RedisAway(`Redis at ${where} is not ready: ${message}.`, 'run the command again later', error);
  }
  if (code === 'WRONGTYPE') return wrongType(`${badKeyOf(key)}" or "${key}`, 'is not a sorted set');
  if (['NOAUTH', 'WRONGPASS'].includes(code) || /invalid (username|password)/i.test(message)) {
    return new PlatformError('redis-refuses', `Redis at ${where} does not accept the password.`, {
      hint: 'put user and password into REDIS_URL, such as redis://user:password@host:6379',
      cause: error,
    });
  }
  return new PlatformError('redis-refuses', `Redis at ${where} refuses: ${message}.`, {
    hint: 'the user of REDIS_URL must be allowed ZRANGE, ZCARD, TYPE, ZADD and EVAL on these keys',
    cause: error,
  });
}

function wrongType(key: string, what: string): PlatformError {
  return new PlatformError('redis-wrong-type', `The Redis key "${key}" ${what}.`, {
    hint: 'name the key of a sorted set: ZADD start_urls 1 example.com makes one, with the rank as the score',
  });
}

/** Host, port and number of the database: a password is never shown, nor a user that may be one. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host || 'localhost'}${pathname === '/' ? '' : pathname}`;
}
