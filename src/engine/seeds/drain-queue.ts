/**
 * From the sorted set into the standing order: a batch is read, committed, and only then removed. A crash in
 * between loses nothing; the batch is read again, and storing it again changes nothing.
 */

import { MAX_RANK, readAllowedSeed, type SeedItem, type SeedRules } from './read-seed-list.ts';
import type { QueueMember, RedisQueue } from './redis-queue.ts';
import type { SeedLoad } from './seed-load.ts';
import type { SeedOrigin } from './store-seeds.ts';

const BATCH_MEMBERS = 1000;

/** Until the set is empty, or `signal` says so. */
export async function drainQueue(
  queue: RedisQueue,
  load: SeedLoad,
  how: { rules: SeedRules; origin: SeedOrigin; signal: AbortSignal },
): Promise<void> {
  while (!how.signal.aborted) {
    const members = await queue.read(BATCH_MEMBERS);
    if (members.length === 0) return;
    const items = members.map((member) => readMember(member, how.rules));
    const refused = await load.store(items, how.origin);
    // Bad ones are kept for whoever put them there, out of the way of the good ones.
    await queue.setAside(members.filter((_member, at) => refused[at] !== undefined));
    await queue.remove(members);
  }
}

function readMember({ bytes, score }: QueueMember, rules: SeedRules): SeedItem {
  const text = bytes.toString('utf8');
  const reading = readAllowedSeed(text, rules);
  if (reading.kind === 'bad') return { kind: 'bad', number: undefined, text, reason: reading.reason };
  return { kind: 'seed', seed: reading.seed, rank: rankOf(Number(score)) };
}

/** A score can be any number. Below 1 is first place; infinite ones, or too large ones, say nothing. */
function rankOf(score: number): number | undefined {
  return score <= MAX_RANK ? Math.max(1, Math.round(score)) : undefined;
}
