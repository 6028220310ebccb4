/**
 * A connection of its own that listens on one channel of the database, and comes back for as long as it is not
 * closed. What is notified while it is away is missed: whoever listens must look for themselves now and then.
 */
import net from 'node:net';
import pg from 'pg';
import type { Database } from '../platform/database.ts';
import { messageOf } from '../platform/database-errors.ts';
import { backoffMs } from './backoff.ts';
import type { TroubleBook } from './trouble-book.ts';
import { pauseUnless, settledWithin, within } from './wait-until.ts';

export interface PostgresListenerOptions {
  /** Read anew for each connection: an embedded server may come back at another port. */
  readonly db: Pick<Database, 'url'>;
  /** A plain name, not one from outside. */
  readonly channel: string;
  readonly onPayload: (payload: string) => void;
  readonly troubles: TroubleBook;
}

const PATIENCE_MS = 5000;
const FAREWELL_MS = 1000;
const PROBE_EVERY_MS = 30_000;
const RETRY = { firstMs: 200, mostMs: 10_000 };

export class PostgresListener {
  readonly #options: PostgresListenerOptions;
  readonly #closing = new AbortController();
  readonly #work: Promise<void>;
  readonly #ready: Promise<void>;
  #tellReady = (): void => undefined;

  constructor(options: PostgresListenerOptions) {
    this.#options = options;
    this.#ready = new Promise((resolve) => {
      this.#tellReady = resolve;
    });
    this.#work = this.#run();
  }

  /** Resolves when it listens, or when the first attempt at it failed. */
  ready(): Promise<void> {
    return this.#ready;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#work;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const { troubles, channel } = this.#options;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        await this.#listen(() => {
          attempt = 0;
          troubles.clear(channel);
          this.#tellReady();
        });
      } catch (error) {
        if (!signal.aborted) troubles.note(channel, describe(error), error);
      }
      this.#tellReady();
      await pauseUnless(signal, backoffMs(attempt, RETRY));
    }
  }

  /** Resolves when it was closed, rejects when the connection is lost. */
  async #listen(onListening: () => void): Promise<void> {
    const { db, channel, onPayload } = this.#options;
    const { signal } = this.#closing;
    const socket = new net.Socket();
    const client = new pg.Client({
      stream: () => socket,
      connectionString: db.url,
      application_name: `forager listens ${process.pid}`,
      connectionTimeoutMillis: PATIENCE_MS,
      keepAlive: true,
    });
    const lost = new Promise<never>((_, reject) => {
      client.on('error', reject);
      client.on('end', () => reject(new Error('the connection was closed')));
    });
    lost.catch(() => undefined);
    client.on('notification', ({ channel: from, payload }) => {
      if (from === channel && !signal.aborted) onPayload(payload ?? '');
    });
    try {
      await within(PATIENCE_MS, client.connect(), 'the database does not answer');
      await within(PATIENCE_MS, client.query(`listen ${channel}`), 'the database does not answer');
      onListening();
      while (!signal.aborted) {
        await Promise.race([lost, pauseUnless(signal, PROBE_EVERY_MS)]);
        // A server that is frozen, or cut off, says nothing either.
        if (!signal.aborted)
          await within(PATIENCE_MS, client.query('select 1'), 'the database does not answer');
      }
    } finally {
      await settledWithin(FAREWELL_MS, client.end());
      // Of a server that does not answer the farewell nothing is kept that would keep the process alive.
      socket.destroy();
    }
  }
}

function describe(error: unknown): string {
  return `The database cannot tell of new work (${messageOf(error)}); it is found by looking, until that works again.`;
}
