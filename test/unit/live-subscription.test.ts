/** What reaches a subscriber while it is brought up to date and a feed speaks at the same time. */
import { describe, expect, test } from 'vitest';
import type { Move } from '../../src/control/live/domain-tail.ts';
import { type Subscriber, type Told, toEvent } from '../../src/control/live/live-feed.ts';
import { type Place, readPlace, writePlace } from '../../src/control/live/place.ts';
import { subscribe } from '../../src/control/live/subscription.ts';
import type { Database } from '../../src/platform/database.ts';

const move = (id: number): Move => ({
  ...{ id, domain: 'a.example', at: new Date(0), from: 'pending', to: 'active', code: 'claimed' },
  ...{ reason: null, actor: null, run: null, nextCrawlAfter: null },
});

interface Scene {
  /** What is in the database. */
  readonly committed: readonly number[];
  /** Where the feed is. */
  readonly here: Place;
  readonly after: Place | undefined;
  /** What the feed tells while the database is asked what was missed. */
  readonly meanwhile?: readonly number[];
  /** And afterwards. */
  readonly later?: readonly number[];
}

async function play({ committed, here, after, meanwhile = [], later = [] }: Scene) {
  let subscriber: Subscriber | undefined;
  const tellAll = (numbers: readonly number[]): void => {
    for (const id of numbers)
      subscriber?.tell({ event: toEvent(move(id)), place: { last: id, missing: [] } });
  };
  const feed = {
    place: here,
    join: async (one: Subscriber) => {
      subscriber = one;
    },
    leave: () => undefined,
  };
  const query = async (_statement: unknown, values: readonly unknown[] = []) => {
    if (values.length === 1) return { rows: [{ id: Math.max(...committed) }], rowCount: 1 };
    const [last, missing] = values as [number, readonly number[]];
    tellAll(meanwhile);
    const rows = committed.filter((id) => id > last || missing.includes(id)).map(move);
    return { rows, rowCount: rows.length };
  };
  const db = { query } as unknown as Database;
  const subscription = await subscribe(db, feed, { types: new Set(['domain']), domain: undefined, after });
  const told: Told[] = [...subscription.missed];
  subscription.start((one) => told.push(one));
  tellAll(later);
  const numbers = told.map(({ event }) => (event.type === 'domain' ? event.id : event.type));
  return { numbers, places: told.map(({ place }) => place && writePlace(place)) };
}

const at = (last: number, ...missing: number[]): Place => ({ last, missing });

describe('a subscriber that comes back', () => {
  test('gets what it missed once, though the feed tells of it too', async () => {
    const scene = { committed: [4, 5, 6, 7], here: at(6), after: at(4), meanwhile: [6, 7], later: [8] };
    expect((await play(scene)).numbers).toEqual([5, 6, 7, 8]);
  });

  test('leaves to the feed what the feed has not come to yet', async () => {
    const scene = { committed: [4, 5, 9], here: at(5), after: at(4), later: [9] };
    expect((await play(scene)).numbers).toEqual([5, 9]);
  });

  test('is not told again what another feed, further on, told it before', async () => {
    const scene = { committed: [4, 5, 6, 7], here: at(4), after: at(7, 5), later: [5, 6, 7, 8] };
    expect((await play(scene)).numbers).toEqual([5, 8]);
  });

  test('gets once what was committed late just now', async () => {
    const scene = { committed: [3, 4, 5], here: at(5, 3), after: at(4, 3), later: [3] };
    expect((await play(scene)).numbers).toEqual([3, 5]);
  });

  test('knows at each step what may still come', async () => {
    const scene = { committed: [2, 5, 8], here: at(8, 3, 6, 7), after: at(4, 2, 3) };
    expect((await play(scene)).places).toEqual(['4~3', '5~3', '8~3.6.7']);
  });

  test('whose place lies beyond all there is begins anew, and is told what has lower numbers', async () => {
    const scene = { committed: [1, 2], here: at(2), after: at(70), later: [3] };
    expect((await play(scene)).numbers).toEqual(['gap', 3]);
  });
});

test('a newcomer gets what comes, also what is committed late', async () => {
  const scene = { committed: [1, 2], here: at(5, 4), after: undefined, later: [4, 6] };
  expect((await play(scene)).numbers).toEqual([4, 6]);
});

describe('a place', () => {
  test('comes back as it was', () => {
    for (const place of [at(0), at(12), at(12, 3, 11)]) expect(readPlace(writePlace(place))).toEqual(place);
  });

  test('lists the newest of what is missing, as much as may be listed', () => {
    const missing = Array.from({ length: 500 }, (_, n) => n + 1);
    expect(readPlace(writePlace(at(1000, ...missing)))?.missing).toEqual(missing.slice(-30));
  });

  test.each(['', 'x', '1~', '1~2.', '-1', '1~2~3', '1.5', '1\n2', '9'.repeat(16)])('is not %j', (text) => {
    expect(readPlace(text)).toBeUndefined();
  });
});
