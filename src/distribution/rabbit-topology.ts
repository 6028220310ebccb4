/**
 * The queues and what they are made of. Whoever connects declares all of it: what is there already and is the same
 * stays, what is missing is made.
 *
 * Hints are worth little after an hour, and a broker that nobody takes anything from must not fill up: they expire,
 * and a full queue refuses new ones (the publisher learns it). RabbitMQ would dead-letter what expires along with
 * what was rejected or delivered too often; the exchange lets only the latter through to the dead letters.
 */
import type { Channel } from 'amqplib';
import { URGENT_PRIORITY, type WorkHint, type WorkKind } from './distribution.ts';

export type QueueName = 'crawl_queue' | 'priority_queue' | 'parse_queue' | 'dead_letter_queue';

export const QUEUE_NAMES: readonly QueueName[] = [
  'crawl_queue',
  'priority_queue',
  'parse_queue',
  'dead_letter_queue',
];

const DEAD_LETTER_EXCHANGE = 'dead_letters';
const REASONS_TO_KEEP = ['rejected', 'delivery_limit'];

const HOUR_MS = 3_600_000;
export const HINT_LIFE_MS = HOUR_MS;
const MOST_HINTS = 50_000;
const DEAD_LETTER_LIFE_MS = 14 * 24 * HOUR_MS;
const MOST_DEAD_LETTERS = 10_000;
/** So often a message comes back from consumers that were lost over it, or died beside it, before it is given up. */
export const MOST_DELIVERIES = 10;

export interface Topology {
  nameOf(queue: QueueName): string;
  /** Fails when it is there and is not the same. */
  declareQueue(channel: Channel, queue: QueueName): Promise<void>;
  declare(channel: Channel): Promise<void>;
}

export function topologyOf(prefix: string): Topology {
  const nameOf = (queue: QueueName): string => `${prefix}${queue}`;
  const exchange = `${prefix}${DEAD_LETTER_EXCHANGE}`;
  const declareQueue = async (channel: Channel, queue: QueueName): Promise<void> => {
    const isForDead = queue === 'dead_letter_queue';
    const queueArguments = isForDead ? deadLetterArguments() : hintArguments(exchange);
    await channel.assertQueue(nameOf(queue), { durable: true, arguments: queueArguments });
  };
  return {
    nameOf,
    declareQueue,
    declare: async (channel) => {
      await channel.assertExchange(exchange, 'headers', { durable: true });
      for (const queue of QUEUE_NAMES) await declareQueue(channel, queue);
      for (const reason of REASONS_TO_KEEP) {
        await channel.bindQueue(nameOf('dead_letter_queue'), exchange, '', {
          'x-match': 'any-with-x',
          'x-first-death-reason': reason,
        });
      }
    },
  };
}

function hintArguments(exchange: string): Record<string, string | number> {
  return {
    'x-queue-type': 'quorum',
    'x-message-ttl': HINT_LIFE_MS,
    'x-max-length': MOST_HINTS,
    'x-overflow': 'reject-publish',
    'x-delivery-limit': MOST_DELIVERIES,
    'x-dead-letter-exchange': exchange,
  };
}

function deadLetterArguments(): Record<string, string | number> {
  return {
    'x-queue-type': 'quorum',
    'x-message-ttl': DEAD_LETTER_LIFE_MS,
    'x-max-length': MOST_DEAD_LETTERS,
    'x-overflow': 'drop-head',
  };
}

export function queueOf(hint: Pick<WorkHint, 'kind' | 'priority'>): QueueName {
  if (hint.kind === 'parse') return 'parse_queue';
  return hint.priority <= URGENT_PRIORITY ? 'priority_queue' : 'crawl_queue';
}

/** The queues that bring work of a kind, the urgent one first. */
export function queuesFor(kind: WorkKind): readonly QueueName[] {
  return kind === 'parse' ? ['parse_queue'] : ['priority_queue', 'crawl_queue'];
}
