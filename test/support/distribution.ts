/** What the conformance suite of the distribution needs: two carriers that can be broken, and somebody who takes hints. */
import type { Distribution, HandOver, WorkHint } from '../../src/distribution/distribution.ts';
import { type DistributionOptions, openDistribution } from '../../src/distribution/open-distribution.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';
import { onRabbit, startTestRabbit, testPrefix } from './rabbitmq.ts';
import { startTcpProxy } from './tcp-proxy.ts';

export interface DeadLetterRow {
  readonly queue: string;
  readonly reason: string;
  readonly payload: { readonly message: string };
}

export interface Carrier {
  readonly kind: Distribution['kind'];
  /** A distribution on queues or a database of its own; closed with the test file, if not before. */
  open(more?: Partial<DistributionOptions>): Promise<Distribution>;
  /** Nobody can reach it until `mend`. */
  breakDown(): Promise<void>;
  mend(): Promise<void>;
  /** Ends what is connected, as a crash does; it comes back at once, by itself. */
  cutConnections(): Promise<void>;
  /** Something that is no hint, sent where crawl hints go. */
  sendRaw(text: string): Promise<void>;
  deadLetters(): Promise<readonly DeadLetterRow[]>;
  close(): Promise<void>;
}

export const carriers: Readonly<Record<Distribution['kind'], () => Promise<Carrier>>> = {
  postgres: startPostgresCarrier,
  rabbitmq: startRabbitCarrier,
};

async function startPostgresCarrier(): Promise<Carrier> {
  const database = await createTestDatabase();
  const real = new URL(database.url);
  const proxy = await startTcpProxy(real.hostname, Number(real.port));
  real.port = String(proxy.port);
  const db = await openDatabase(loadConfig({ databaseUrl: real.toString() }, {}));
  const opened: Distribution[] = [];
  return {
    kind: 'postgres',
    open: async (more) => keep(opened, await openDistribution({ config: NO_BROKER, db, ...more })),
    breakDown: async () => proxy.cut(),
    mend: async () => proxy.mend(),
    cutConnections: async () => {
      await database.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'forager listens %' and datname = current_database()",
      );
    },
    sendRaw: async (text) => {
      await database.execute("select pg_notify('forager_work', $1)", [text]);
    },
    deadLetters: () => readDeadLetters(database),
    close: async () => {
      await Promise.all(opened.map((each) => each.close()));
      await db.close();
      await proxy.close();
      await database.drop();
    },
  };
}

const NO_BROKER = { amqpUrl: undefined, amqpPrefix: '' };

async function startRabbitCarrier(): Promise<Carrier> {
  const database = await createTestDatabase();
  const broker = await startTestRabbit();
  const amqpPrefix = testPrefix();
  const config = { amqpUrl: broker.url, amqpPrefix };
  const opened: Distribution[] = [];
  return {
    kind: 'rabbitmq',
    open: async (more) => keep(opened, await openDistribution({ config, db: database.db, ...more })),
    breakDown: () => broker.kill(),
    mend: () => broker.start(),
    cutConnections: async () => {
      await broker.kill();
      await broker.start();
    },
    sendRaw: (text) =>
      onRabbit(broker.url, async (channel) => {
        channel.sendToQueue(`${amqpPrefix}crawl_queue`, Buffer.from(text));
      }),
    deadLetters: () => readDeadLetters(database),
    close: async () => {
      await Promise.all(opened.map((each) => each.close()));
      await broker.stop();
      await database.drop();
    },
  };
}

function keep(opened: Distribution[], distribution: Distribution): Distribution {
  opened.push(distribution);
  return distribution;
}

export async function readDeadLetters(database: TestDatabase): Promise<readonly DeadLetterRow[]> {
  const { rows } = await database.db.query<DeadLetterRow>(
    'select queue, reason, payload from dead_letters order by id',
  );
  return rows;
}

/** Takes what it is given, and remembers it in order. */
export class Taker {
  readonly taken: WorkHint[] = [];
  /** All it was offered, taken or not. */
  offers = 0;
  readonly #answer: (hint: WorkHint, offer: number) => HandOver | Promise<HandOver>;

  constructor(answer: (hint: WorkHint, offer: number) => HandOver | Promise<HandOver> = () => 'taken') {
    this.#answer = answer;
  }

  readonly take = async (hint: WorkHint): Promise<HandOver> => {
    this.offers += 1;
    const answer = await this.#answer(hint, this.offers);
    if (answer === 'taken') this.taken.push(hint);
    return answer;
  };

  get domains(): number[] {
    return this.taken.map((hint) => hint.domainId);
  }
}

export function hintOf(domainId: number, more: Partial<WorkHint> = {}): WorkHint {
  return { kind: 'crawl', domainId, taskIds: [domainId * 10, domainId * 10 + 1], priority: 5, ...more };
}
