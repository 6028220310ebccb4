/**
 * Who leads: whoever has the lock. It belongs to a connection of its own, and goes with it, however the process ends:
 * a lost connection is a lost leadership. The same connection hears when there is something to schedule.
 */
import pg from 'pg';
import type { Database } from '../platform/database.ts';
import { translateDatabaseError } from '../platform/database-errors.ts';
import { ConnectionLost } from '../platform/errors.ts';

/** Any number will do, as long as everybody uses the same. */
export const LEADER_LOCK = 7_240_003;
export const SCHEDULE_CHANNEL = 'forager_schedule';

const CONNECT_TIMEOUT_MS = 15_000;
const ANSWER_TIMEOUT_MS = 15_000;
const PROVE_LIFE_MS = 10_000;
/**
 * A machine that vanished, or a process that is frozen, must not lead for ever: the server ends a session that is
 * silent for a minute, and asks the network whether the other side is still there.
 */
const SESSION = `set idle_session_timeout = '60s'; set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5;
                 set tcp_keepalives_count = 3`;

export interface LeadershipListener {
  /** There is something to schedule. */
  notified(): void;
  /** The connection is gone, and with it the leadership. */
  lost(): void;
}

export class Leadership {
  readonly #client: pg.Client;
  readonly #listener: LeadershipListener;
  readonly #proof: NodeJS.Timeout;
  #isLost = false;
  #isClosing = false;

  private constructor(client: pg.Client, listener: LeadershipListener) {
    this.#client = client;
    this.#listener = listener;
    client.on('error', () => this.#lose());
    client.on('end', () => this.#lose());
    client.on('notification', () => listener.notified());
    this.#proof = setInterval(() => void this.confirm().catch(() => this.#lose()), PROVE_LIFE_MS);
    this.#proof.unref();
  }

  static async open(db: Pick<Database, 'url'>, listener: LeadershipListener): Promise<Leadership> {
    const client = new pg.Client({
      ...{ connectionString: db.url, application_name: `forager scheduler ${process.pid}`, keepAlive: true },
      ...{ connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: ANSWER_TIMEOUT_MS },
    });
    // Told by whatever is awaited as well; unheard it would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(SESSION);
      await client.query(`listen ${SCHEDULE_CHANNEL}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw translateDatabaseError(error);
    }
    return new Leadership(client, listener);
  }

  /** True: this one leads now, until the connection is lost or closed. */
  async tryToLead(): Promise<boolean> {
    const { rows } = await this.#ask<{ leads: boolean }>(
      `select pg_try_advisory_lock(${LEADER_LOCK}) as leads`,
    );
    return rows[0]?.leads === true;
  }

  /** Throws when the connection is gone. */
  async confirm(): Promise<void> {
    await this.#ask('select 1');
  }

  /** Gives the leadership up. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#proof);
    await this.#client.end().catch(() => undefined);
  }

  async #ask<R extends pg.QueryResultRow>(statement: string): Promise<pg.QueryResult<R>> {
    if (this.#isLost) throw new ConnectionLost('The connection of the scheduler broke.');
    try {
      return await this.#client.query<R>(statement);
    } catch (error) {
      this.#lose();
      throw translateDatabaseError(error);
    }
  }

  #lose(): void {
    if (this.#isLost || this.#isClosing) return;
    this.#isLost = true;
    clearInterval(this.#proof);
    this.#listener.lost();
  }
}
