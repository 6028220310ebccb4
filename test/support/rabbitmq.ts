/**
 * A real RabbitMQ of the test's own: on free loopback ports, as the user who runs the test, with its data in a
 * directory of its own, so that it can be killed, started again and frozen. It takes some seconds to start: what
 * needs none of that joins the one of the run (`joinTestRabbit`).
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type ConfirmChannel, connect } from 'amqplib';
import { inject } from 'vitest';
import {
  type BrokerProcesses,
  controlBroker,
  gone,
  killAll,
  prepareBroker,
  startBroker,
} from './rabbitmq-broker.ts';
import { startOrJoinShared } from './rabbitmq-shared.ts';

export interface TestRabbit {
  readonly url: string;
  readonly port: number;
  /** SIGKILL: its data stay. */
  kill(): Promise<void>;
  /** After a kill: the same data at the same port. Resolves when it takes connections. */
  start(): Promise<void>;
  /** Nothing is answered any more, and no connection breaks. */
  freeze(): void;
  thaw(): void;
  /** What its operator would type after `rabbitmqctl`; takes a second or two. */
  control(...words: string[]): Promise<string>;
  /** Ends it, and removes its data. */
  stop(): Promise<void>;
}

/** To be stopped by whoever started it; gone with the process in any case. */
export async function startTestRabbit(): Promise<TestRabbit> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'forager-rabbitmq-'));
  const broker = await prepareBroker(directory);
  let processes: BrokerProcesses | undefined;
  const killWithUs = (): void => killAll(processes);
  process.once('exit', killWithUs);
  const kill = async (): Promise<void> => {
    const running = processes;
    processes = undefined;
    if (running === undefined) return;
    killAll(running);
    await Promise.all([gone(running.server), gone(running.epmd)]);
  };
  const start = async (): Promise<void> => {
    processes ??= await startBroker(broker);
  };
  await start();
  return {
    ...{ url: `amqp://127.0.0.1:${broker.port}`, port: broker.port, kill, start },
    control: (...words) => controlBroker(broker, words),
    freeze: () => void processes?.server.kill('SIGSTOP'),
    thaw: () => void processes?.server.kill('SIGCONT'),
    stop: async () => {
      process.off('exit', killWithUs);
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * The URL of a broker that all test files of the run share: that of AMQP_URL, or one that the first of them starts and
 * the end of the run ends. Give the queues a prefix of your own (`testPrefix`).
 */
export async function joinTestRabbit(): Promise<string> {
  const given = inject('testAmqpUrl');
  if (given !== '') return given;
  return startOrJoinShared(inject('testDataDir'));
}

export function testPrefix(): string {
  return `test.${randomBytes(4).toString('hex')}.`;
}

/** Lends a channel to the broker, for what an operator or a stranger would do. */
export async function onRabbit<T>(url: string, work: (channel: ConfirmChannel) => Promise<T>): Promise<T> {
  const connection = await connect(url);
  connection.on('error', () => undefined);
  try {
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => undefined);
    const result = await work(channel);
    await channel.waitForConfirms();
    return result;
  } finally {
    await connection.close().catch(() => undefined);
  }
}
