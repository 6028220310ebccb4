/** What holds of hints through RabbitMQ alone: queues that last, refusals that are understood, a broker that hangs. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkBroker } from '../../src/control/doctor/check-broker.ts';
import type { Distribution } from '../../src/distribution/distribution.ts';
import { inspectBroker } from '../../src/distribution/inspect-broker.ts';
import { openDistribution } from '../../src/distribution/open-distribution.ts';
import { hintOf, readDeadLetters, Taker } from '../support/distribution.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { onRabbit, startTestRabbit, type TestRabbit, testPrefix } from '../support/rabbitmq.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const SOON = { timeout: 20_000, interval: 20 };

let database: TestDatabase;
let broker: TestRabbit;
beforeAll(async () => {
  database = await createTestDatabase();
  broker = await startTestRabbit();
}, 400_000);
afterAll(async () => {
  await broker?.stop();
  await database?.drop();
});

const opened: Distribution[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

interface Opened {
  readonly distribution: Distribution;
  readonly prefix: string;
  readonly warnings: string[];
}

async function open(amqpUrl = broker.url, prefix = testPrefix()): Promise<Opened> {
  const warnings: string[] = [];
  const distribution = await openDistribution({
    ...{ config: { amqpUrl, amqpPrefix: prefix }, db: database.db },
    warn: (sentence) => void warnings.push(sentence),
  });
  opened.push(distribution);
  return { distribution, prefix, warnings };
}

async function depth(queue: string): Promise<number> {
  return onRabbit(broker.url, async (channel) => (await channel.checkQueue(queue)).messageCount);
}

describe('the queues', () => {
  it('are durable quorum queues, each with its share: urgent, other, to be parsed', async () => {
    const { distribution, prefix } = await open();
    const hints = [
      hintOf(1, { priority: 2 }),
      hintOf(2, { priority: 3 }),
      hintOf(3, { kind: 'parse', priority: 1 }),
    ];
    expect(await distribution.announce(hints)).toBe(3);
    for (const queue of ['priority_queue', 'crawl_queue', 'parse_queue']) {
      expect(await depth(`${prefix}${queue}`)).toBe(1);
      // The broker names the first argument that differs from what is there.
      const refused = onRabbit(broker.url, (channel) =>
        channel.assertQueue(`${prefix}${queue}`, { durable: false }),
      );
      await expect(refused).rejects.toThrow(/inequivalent arg 'durable'.*current is 'true'/);
      const same = {
        ...{ 'x-queue-type': 'quorum', 'x-message-ttl': 3_600_000, 'x-max-length': 50_000 },
        ...{ 'x-overflow': 'reject-publish', 'x-delivery-limit': 10 },
        'x-dead-letter-exchange': `${prefix}dead_letters`,
      };
      await onRabbit(broker.url, (channel) =>
        channel.assertQueue(`${prefix}${queue}`, { durable: true, arguments: same }),
      );
    }
  });

  it('keep what was confirmed over the death of the broker', async () => {
    const { distribution, prefix } = await open();
    const hints = Array.from({ length: 50 }, (_, at) => hintOf(100 + at));
    expect(await distribution.announce(hints)).toBe(50);
    await distribution.close();
    await broker.kill();
    await broker.start();
    const { distribution: later } = await open(broker.url, prefix);
    const taker = new Taker();
    await later.subscribe('crawl', taker.take);
    await expect.poll(() => taker.domains, SOON).toEqual(hints.map((hint) => hint.domainId));
  });

  it('let hints expire without a trace', async () => {
    const { distribution, prefix } = await open();
    await onRabbit(broker.url, async (channel) => {
      channel.sendToQueue(`${prefix}crawl_queue`, Buffer.from('{}'), { expiration: '1' });
    });
    await expect.poll(() => depth(`${prefix}crawl_queue`), SOON).toBe(0);
    expect(await depth(`${prefix}dead_letter_queue`)).toBe(0);
    expect(distribution.state.trouble).toBeUndefined();
  });

  it('that are purged cost the hints in them, and nothing else', async () => {
    const { distribution, prefix } = await open();
    await distribution.announce([hintOf(1), hintOf(2)]);
    await onRabbit(broker.url, (channel) => channel.purgeQueue(`${prefix}crawl_queue`));
    const taker = new Taker();
    await distribution.subscribe('crawl', taker.take);
    await distribution.announce([hintOf(3)]);
    await expect.poll(() => taker.domains, SOON).toEqual([3]);
  });

  it('that are deleted under everybody are made anew, and nobody counts what went nowhere', async () => {
    const { distribution, prefix } = await open();
    const taker = new Taker();
    await distribution.subscribe('crawl', taker.take);
    await onRabbit(broker.url, (channel) => channel.deleteQueue(`${prefix}crawl_queue`));
    await expect
      .poll(
        async () => {
          // Either it is refused or it arrives: what is confirmed is in a queue.
          await distribution.announce([hintOf(4)]);
          return taker.domains.includes(4);
        },
        { timeout: 30_000, interval: 100 },
      )
      .toBe(true);
    expect(await distribution.announce([hintOf(5)])).toBe(1);
    await expect.poll(() => taker.domains, SOON).toContain(5);
  });
});

describe('a message that is never handed over', () => {
  const text = JSON.stringify({ v: 1, kind: 'crawl', domainId: 77, taskIds: [], priority: 5 });

  /** A consumer that dies over it, so many times. */
  async function dieOverIt(queue: string, times: number): Promise<void> {
    for (let death = 0; death < times; death += 1) {
      await onRabbit(broker.url, async (channel) => {
        await expect.poll(() => channel.get(queue), SOON).toBeTruthy();
      });
    }
  }

  it('ends in the dead letters of the broker', async () => {
    const { prefix } = await open();
    await onRabbit(broker.url, async (channel) => {
      channel.sendToQueue(`${prefix}crawl_queue`, Buffer.from(text));
    });
    await dieOverIt(`${prefix}crawl_queue`, 11);
    await expect.poll(() => depth(`${prefix}dead_letter_queue`), SOON).toBe(1);
    expect(await depth(`${prefix}crawl_queue`)).toBe(0);
  });

  it('is set aside with its reason by the first who sees how often it was delivered', async () => {
    const { distribution, prefix } = await open();
    await onRabbit(broker.url, async (channel) => {
      channel.sendToQueue(`${prefix}crawl_queue`, Buffer.from(text));
    });
    await dieOverIt(`${prefix}crawl_queue`, 10);
    const taker = new Taker();
    await distribution.subscribe('crawl', taker.take);
    await expect.poll(() => depth(`${prefix}dead_letter_queue`), SOON).toBe(1);
    const reason = 'it was delivered 10 times and never taken';
    expect(await readDeadLetters(database)).toContainEqual({
      ...{ queue: 'crawl_queue', reason, payload: { message: text } },
    });
    const letter = await onRabbit(broker.url, (channel) => channel.get(`${prefix}dead_letter_queue`));
    expect(letter ? letter.properties.headers : undefined).toMatchObject({
      'x-reason': reason,
      'x-queue': 'crawl_queue',
    });
    expect(taker.offers).toBe(0);
  });
});

describe('what is wrong is said in one sentence, without the password', () => {
  it.each([
    [
      'a wrong password',
      (port: number) => `amqp://guest:s3cret@127.0.0.1:${port}`,
      /refuses the user "guest" or the password: correct AMQP_URL/,
    ],
    [
      'no such virtual host',
      (port: number) => `amqp://guest:guest@127.0.0.1:${port}/nope%2Fhere`,
      /no virtual host "nope\/here"/,
    ],
    [
      'TLS where there is none',
      (port: number) => `amqps://guest:s3cret@127.0.0.1:${port}`,
      /does not speak TLS at this port/,
    ],
    ['nobody there', () => 'amqp://guest:s3cret@127.0.0.1:1', /is not there \(the connection was refused\)/],
  ])('%s', async (_, urlAt, sentence) => {
    const { distribution, warnings } = await open(urlAt(broker.port));
    expect(distribution.state.trouble).toMatch(sentence);
    expect(distribution.state.trouble).toMatch(
      /^RabbitMQ at 127\.0\.0\.1:\d+ .* Workers find tasks by looking, until then\.$/,
    );
    expect(distribution.state.trouble).not.toContain('s3cret');
    await distribution.subscribe('crawl', new Taker().take);
    // Both connections are refused: said once.
    expect(warnings).toEqual([distribution.state.trouble]);
    expect(await distribution.announce([hintOf(1)])).toBe(0);
  });

  it('a queue of somebody else by the same name', async () => {
    const prefix = testPrefix();
    await onRabbit(broker.url, (channel) => channel.assertQueue(`${prefix}parse_queue`, { durable: true }));
    const { distribution } = await open(broker.url, prefix);
    expect(distribution.state.trouble).toMatch(
      /has "test\.\w+\.parse_queue".*with other arguments.*FORAGER_AMQP_PREFIX/,
    );
    const checks = await checkBroker({ amqpUrl: broker.url, amqpPrefix: prefix });
    expect(checks).toMatchObject([{ state: 'warning', message: distribution.state.trouble }]);
    // Deleted, it is made as it should be by those who wait for it.
    await onRabbit(broker.url, (channel) => channel.deleteQueue(`${prefix}parse_queue`));
    await expect.poll(() => distribution.state.trouble, { ...SOON, timeout: 30_000 }).toBeUndefined();
  });
});

describe('a broker that is short of memory', () => {
  it('is told nothing more, while what it has is still taken, and everything again afterwards', async () => {
    const { distribution } = await open();
    const taker = new Taker();
    expect(await distribution.announce([hintOf(1)])).toBe(1);
    await broker.control('set_vm_memory_high_watermark', 'absolute', '1');
    try {
      // It says so when somebody sends.
      await expect.poll(() => distribution.announce([hintOf(2)]), SOON).toBe(0);
      await expect.poll(() => distribution.state.trouble, SOON).toMatch(/takes no messages at the moment/);
      expect(await distribution.announce([hintOf(3)])).toBe(0);
      await distribution.subscribe('crawl', taker.take);
      await expect.poll(() => taker.domains, SOON).toContain(1);
    } finally {
      await broker.control('set_vm_memory_high_watermark', 'absolute', '2GB');
    }
    await expect.poll(() => distribution.state.trouble, SOON).toBeUndefined();
    expect(await distribution.announce([hintOf(4)])).toBe(1);
    await expect.poll(() => taker.domains, SOON).toContain(4);
  });
});

describe('a broker that hangs', () => {
  it('keeps nobody waiting for long, who announces or who closes', async () => {
    const { distribution, prefix } = await open();
    await distribution.subscribe('crawl', new Taker().take);
    broker.freeze();
    try {
      expect(await distribution.announce([hintOf(1), hintOf(2)])).toBe(0);
      expect(await distribution.announce([hintOf(3)])).toBe(0);
      await expect
        .poll(() => distribution.state.trouble, SOON)
        .toMatch(/confirmed nothing for 5 seconds|in time/);
      const { distribution: late } = await open(broker.url, prefix);
      expect(late.state.trouble).toBeDefined();
      await late.close();
      await distribution.close();
      expect(await inspectBroker(broker.url, prefix)).toMatchObject({ kind: 'trouble' });
    } finally {
      broker.thaw();
    }
    const { distribution: after } = await open(broker.url, prefix);
    expect(await after.announce([hintOf(4)])).toBe(1);
  });

  it('behind a network that swallows everything is left, and found again', async () => {
    const proxy = await startTcpProxy('127.0.0.1', broker.port);
    const { distribution } = await open(`amqp://127.0.0.1:${proxy.port}`);
    const taker = new Taker();
    await distribution.subscribe('crawl', taker.take);
    proxy.freeze();
    expect(await distribution.announce([hintOf(5)])).toBe(0);
    proxy.mend();
    await expect
      .poll(
        async () => {
          await distribution.announce([hintOf(6)]);
          return taker.domains.includes(6);
        },
        { timeout: 40_000, interval: 200 },
      )
      .toBe(true);
    await distribution.close();
    await proxy.close();
  });
});

describe('whoever looks after it', () => {
  it('sees how much waits in each queue, and that looking makes none', async () => {
    const prefix = testPrefix();
    const empty = await inspectBroker(broker.url, prefix);
    expect(empty.kind === 'there' && empty.queues.map((queue) => queue.depth)).toEqual(
      Array(4).fill(undefined),
    );
    expect(await inspectBroker(broker.url, prefix)).toEqual(empty);
    const { distribution } = await open(broker.url, prefix);
    await distribution.announce([hintOf(1), hintOf(2), hintOf(3, { priority: 1 })]);
    const report = await inspectBroker(broker.url, prefix);
    expect(report).toMatchObject({ kind: 'there', version: expect.stringMatching(/^\d+\.\d+/) });
    const [check] = await checkBroker({ amqpUrl: broker.url, amqpPrefix: prefix });
    expect(check?.state).toBe('ok');
    expect(check?.message).toContain(`${prefix}crawl_queue: 2 waiting, 0 taking`);
    expect(check?.message).toContain(`${prefix}priority_queue: 1 waiting, 0 taking`);
    expect(await checkBroker({ amqpUrl: undefined, amqpPrefix: '' })).toEqual([]);
  });
});
