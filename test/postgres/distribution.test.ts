/** One suite for both carriers: what holds of hints, whether PostgreSQL carries them or RabbitMQ. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Distribution, HandOver } from '../../src/distribution/distribution.ts';
import { type Carrier, carriers, hintOf, Taker } from '../support/distribution.ts';

const SOON = { timeout: 20_000, interval: 20 };

describe.each(['postgres', 'rabbitmq'] as const)('distribution through %s', (kind) => {
  let carrier: Carrier;

  beforeAll(async () => {
    carrier = await carriers[kind]();
  }, 400_000);
  afterAll(() => carrier?.close());

  async function open(): Promise<{ distribution: Distribution; warnings: string[] }> {
    const warnings: string[] = [];
    const distribution = await carrier.open({ warn: (sentence) => void warnings.push(sentence) });
    return { distribution, warnings };
  }

  it('brings a hint, whole, to whoever takes its kind and to nobody else', async () => {
    const { distribution } = await open();
    const [crawler, parser] = [new Taker(), new Taker()];
    await distribution.subscribe('crawl', crawler.take);
    await distribution.subscribe('parse', parser.take);
    const crawl = hintOf(1, { taskIds: [11, 2 ** 53 - 1] });
    const parse = hintOf(2, { kind: 'parse', priority: 1 });
    expect(await distribution.announce([crawl, parse])).toBe(2);
    await expect.poll(() => crawler.taken, SOON).toEqual([crawl]);
    await expect.poll(() => parser.taken, SOON).toEqual([parse]);
    expect(distribution.state.trouble).toBeUndefined();
    await distribution.close();
  });

  it('names at most a hundred tasks in a hint, the first ones', async () => {
    const { distribution } = await open();
    const taker = new Taker();
    await distribution.subscribe('crawl', taker.take);
    const taskIds = Array.from({ length: 5000 }, (_, at) => 9_000_000_000_000 + at);
    expect(await distribution.announce([hintOf(3, { taskIds })])).toBe(1);
    await expect.poll(() => taker.taken[0]?.taskIds, SOON).toEqual(taskIds.slice(0, 100));
    await distribution.close();
  });

  it('gives each hint to one (RabbitMQ) or to all (PostgreSQL) of several who take', async () => {
    const { distribution } = await open();
    const { distribution: elsewhere } = await open();
    const takers = [new Taker(), new Taker(), new Taker()];
    for (const [at, { take }] of takers.entries()) {
      await (at === 2 ? elsewhere : distribution).subscribe('crawl', take);
    }
    const hints = Array.from({ length: 60 }, (_, at) => hintOf(100 + at));
    const wanted = hints.map((hint) => hint.domainId);
    expect(await distribution.announce(hints)).toBe(60);
    const all = (): number[] => takers.flatMap((taker) => taker.domains).sort((a, b) => a - b);
    const times = kind === 'postgres' ? 3 : 1;
    await expect.poll(() => all().length, SOON).toBe(60 * times);
    expect([...new Set(all())]).toEqual(wanted);
    if (kind === 'rabbitmq') expect(takers.every((taker) => taker.taken.length > 0)).toBe(true);
    await distribution.close();
    await elsewhere.close();
  });

  it('offers a hint again that was not taken, in its own time, until it is', async () => {
    const { distribution } = await open();
    const taker = new Taker((_, offer) => (offer < 4 ? 'later' : 'taken'));
    await distribution.subscribe('crawl', taker.take);
    const startedMs = performance.now();
    await distribution.announce([hintOf(4)]);
    await expect.poll(() => taker.domains, SOON).toEqual([4]);
    expect(taker.offers).toBe(4);
    // Waited at least half of 200, 400 and 800 ms: no hot loop.
    expect(performance.now() - startedMs).toBeGreaterThan(600);
    expect(await carrier.deadLetters()).toEqual([]);
    await distribution.close();
  });

  it('takes a failure of whoever takes for "later", and says so', async () => {
    const { distribution, warnings } = await open();
    const taker = new Taker((_, offer) => {
      if (offer === 1) throw new Error('out of memory, say');
      return 'taken';
    });
    await distribution.subscribe('crawl', taker.take);
    await distribution.announce([hintOf(5)]);
    await expect.poll(() => taker.domains, SOON).toEqual([5]);
    expect(warnings).toHaveLength(1);
    await distribution.close();
  });

  it('brings a hint twice that was announced twice, and nothing is wrong with that', async () => {
    const { distribution, warnings } = await open();
    const taker = new Taker();
    await distribution.subscribe('crawl', taker.take);
    expect(await distribution.announce([hintOf(6)])).toBe(1);
    expect(await distribution.announce([hintOf(6)])).toBe(1);
    await expect.poll(() => taker.domains, SOON).toEqual([6, 6]);
    expect(warnings).toEqual([]);
    await distribution.close();
  });

  it('hands over the urgent first', async () => {
    const { distribution } = await open();
    let letGo = (): void => undefined;
    const isFree = new Promise<HandOver>((resolve) => {
      letGo = () => resolve('taken');
    });
    const taker = new Taker((_, offer) => (offer === 1 ? isFree : 'taken'));
    await distribution.subscribe('crawl', taker.take);
    await distribution.announce([hintOf(20)]);
    await expect.poll(() => taker.offers, SOON).toBe(1);
    await distribution.announce([21, 22, 23].map((id) => hintOf(id)));
    await distribution.announce([hintOf(24, { priority: 2 }), hintOf(25, { priority: 1 })]);
    // A later one that has arrived shows that they have, too: on the same way, in the same order.
    const arrived = new Taker();
    const { distribution: other } = await open();
    await other.subscribe('parse', arrived.take);
    await other.announce([hintOf(1, { kind: 'parse' })]);
    await expect.poll(() => arrived.offers, SOON).toBe(1);
    letGo();
    await expect.poll(() => taker.taken.length, SOON).toBe(6);
    expect(taker.domains.slice(0, 3)).toEqual([20, 24, 25]);
    expect(taker.domains.slice(3)).toEqual([21, 22, 23]);
    await distribution.close();
    await other.close();
  });

  it('sets aside what is no hint, with the reason, and goes on', async () => {
    const { distribution } = await open();
    const taker = new Taker();
    await distribution.subscribe('crawl', taker.take);
    const wrap = (text: string): string => (kind === 'postgres' ? `[${text}]` : text);
    const bad = [
      'not JSON \u0000'.replace('\u0000', kind === 'postgres' ? '' : '\u0000'),
      wrap('{"v":1,"kind":"crawl","domainId":"1","taskIds":[],"priority":5}'),
      wrap('{"v":2,"anything":true}'),
      wrap('null'),
      wrap('{"v":1,"kind":"crawl","domainId":1,"taskIds":[],"priority":11}'),
    ];
    for (const text of bad) await carrier.sendRaw(text);
    await distribution.announce([hintOf(7)]);
    await expect.poll(() => taker.domains, SOON).toEqual([7]);
    await expect.poll(async () => (await carrier.deadLetters()).length, SOON).toBe(bad.length);
    const letters = await carrier.deadLetters();
    const reasons = letters.map((letter) => letter.reason);
    // Written down beside each other: in which order is nobody's concern.
    expect(reasons).toContain('it is not JSON');
    expect(reasons).toContain('it has version 2, and this program knows 1');
    expect(reasons.filter((reason) => reason.startsWith('its shape is wrong: '))).toHaveLength(3);
    expect(
      letters.every((letter) => letter.queue === (kind === 'postgres' ? 'forager_work' : 'crawl_queue')),
    ).toBe(true);
    const messages = letters.map((letter) => String(letter.payload.message));
    expect(messages.some((message) => message.includes('"anything":true'))).toBe(true);
    expect(taker.offers).toBe(1);
    await distribution.close();
  });

  it('gives what was not handed over to others when its taker closes, and nothing to that one', async () => {
    const { distribution } = await open();
    const first = new Taker();
    const subscription = await distribution.subscribe('crawl', first.take);
    await subscription.close();
    await subscription.close();
    const second = new Taker();
    await distribution.subscribe('crawl', second.take);
    await distribution.announce([hintOf(8)]);
    await expect.poll(() => second.domains, SOON).toEqual([8]);
    expect(first.offers).toBe(0);
    await distribution.close();
    await expect(distribution.subscribe('crawl', second.take)).rejects.toThrow(/closed/);
    expect(await distribution.announce([hintOf(9)])).toBe(0);
  });

  it('stays small while ten thousand hints are announced at once, and all arrive', async () => {
    const { distribution } = await open();
    const seen = new Set<number>();
    await distribution.subscribe('crawl', (hint) => {
      seen.add(hint.domainId);
      return 'taken';
    });
    const taskIds = Array.from({ length: 100 }, (_, at) => 1_000_000_000 + at);
    const hints = Array.from({ length: 10_000 }, (_, at) => hintOf(10_000 + at, { taskIds }));
    const before = process.memoryUsage().rss;
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 20);
    expect(await distribution.announce(hints)).toBe(10_000);
    await expect.poll(() => seen.size, { ...SOON, timeout: 50_000 }).toBe(10_000);
    clearInterval(watch);
    expect((most - before) / 1e6).toBeLessThan(200);
    await distribution.close();
  });

  it('announces nothing, at once and without throwing, while the carrier is away, and tells of it once', async () => {
    const { distribution, warnings } = await open();
    const taker = new Taker();
    await distribution.subscribe('crawl', taker.take);
    await carrier.breakDown();
    expect(await distribution.announce([hintOf(30), hintOf(31)])).toBe(0);
    await expect.poll(() => distribution.state.trouble, SOON).toMatch(/looking/);
    for (let tries = 0; tries < 5; tries += 1) expect(await distribution.announce([hintOf(32)])).toBe(0);
    expect(new Set(warnings).size).toBe(warnings.length);

    // One that is opened now is no worse off.
    const { distribution: late } = await open();
    const lateTaker = new Taker();
    await late.subscribe('crawl', lateTaker.take);

    await carrier.mend();
    await expect.poll(() => distribution.announce([hintOf(33)]), { ...SOON, timeout: 40_000 }).toBe(1);
    await expect.poll(() => late.announce([hintOf(34)]), { ...SOON, timeout: 40_000 }).toBe(1);
    await expect.poll(() => distribution.state.trouble, { ...SOON, timeout: 40_000 }).toBeUndefined();
    const all = (): Set<number> => new Set([...taker.domains, ...lateTaker.domains]);
    await expect
      .poll(
        async () => {
          await distribution.announce([hintOf(35)]);
          return all().has(35);
        },
        { timeout: 40_000, interval: 200 },
      )
      .toBe(true);
    await distribution.close();
    await late.close();
  });

  it('goes on by itself after its connections were cut', async () => {
    const { distribution } = await open();
    const taker = new Taker();
    await distribution.subscribe('crawl', taker.take);
    await distribution.announce([hintOf(40)]);
    await expect.poll(() => taker.domains, SOON).toContain(40);
    await carrier.cutConnections();
    for (const id of [41, 42]) {
      await expect
        .poll(
          async () => {
            await distribution.announce([hintOf(id)]);
            return taker.domains.includes(id);
          },
          { timeout: 40_000, interval: 200 },
        )
        .toBe(true);
    }
    expect(distribution.state.trouble).toBeUndefined();
    await distribution.close();
  });

  it('can be closed whatever goes on', async () => {
    const { distribution: hanging } = await open();
    const stuck = new Taker(() => new Promise<HandOver>(() => undefined));
    await hanging.subscribe('crawl', stuck.take);
    await hanging.announce([hintOf(50)]);
    await expect.poll(() => stuck.offers, SOON).toBe(1);
    await hanging.close();

    const { distribution: busy } = await open();
    const announced = busy.announce(Array.from({ length: 3000 }, (_, at) => hintOf(60 + at)));
    await busy.close();
    expect(await announced).toBeLessThanOrEqual(3000);

    const { distribution: away } = await open();
    await away.subscribe('crawl', new Taker().take);
    await carrier.breakDown();
    await away.close();
    const { distribution: never } = await open();
    await never.close();
    await never.close();
    await carrier.mend();
  });
});
