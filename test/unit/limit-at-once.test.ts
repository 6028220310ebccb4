import { expect, test } from 'vitest';
import { PlacesAtOnce } from '../../src/api/limit-at-once.ts';
import { ANONYMOUS } from '../../src/control/access/principal.ts';

const MOST = { anonymous: 2, user: 2, bot: 2, admin: 2 };

function makeSender() {
  return { principal: ANONYMOUS, address: '203.0.113.1', socket: { destroyed: false } };
}

/** Work that goes on until it is told to end. */
function makeWork(begun: string[], name: string) {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async (): Promise<string> => {
    begun.push(name);
    await ended;
    return name;
  };
  return { work, end };
}

test('what finds no place waits for one, and is let in in its turn', async () => {
  const places = new PlacesAtOnce(MOST, { most: 5, ms: 60_000 });
  const begun: string[] = [];
  const tasks = ['a', 'b', 'c', 'd'].map((name) => makeWork(begun, name));
  const runs = tasks.map(({ work }) => places.run(makeSender(), work));
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b']);
  tasks[1]?.end();
  await runs[1];
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  for (const { end } of tasks) end();
  expect(await Promise.all(runs)).toEqual(['a', 'b', 'c', 'd']);
  expect(places.size).toBe(0);
});

test('whoever hung up while waiting is passed over, and comes to nothing', async () => {
  const places = new PlacesAtOnce(MOST, { most: 5, ms: 100 });
  const begun: string[] = [];
  const tasks = ['a', 'b', 'gone', 'd'].map((name) => makeWork(begun, name));
  const senders = tasks.map(makeSender);
  const runs = tasks.map(({ work }, index) => places.run(senders[index] ?? makeSender(), work));
  const ends = Promise.allSettled(runs);
  Object.assign(senders[2]?.socket ?? {}, { destroyed: true });
  for (const { end } of tasks) end();
  expect((await ends).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(begun).toEqual(['a', 'b', 'd']);
  expect(places.size).toBe(0);
});

test('more than may wait are refused at once, and those who waited in vain when their time is over', async () => {
  const places = new PlacesAtOnce(MOST, { most: 1, ms: 20 });
  const tasks = ['a', 'b', 'c', 'd'].map((name) => makeWork([], name));
  const runs = tasks.map(({ work }) => places.run(makeSender(), work));
  await expect(runs[3]).rejects.toMatchObject({ code: 'too-many-at-once' });
  await expect(runs[2]).rejects.toMatchObject({ code: 'too-many-at-once' });
  for (const { end } of tasks) end();
  expect(await Promise.all(runs.slice(0, 2))).toEqual(['a', 'b']);
  expect(places.size).toBe(0);
});
