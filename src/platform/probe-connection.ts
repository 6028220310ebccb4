/**
 * A connection of its own for asking whether the database is well: an answer does not wait for a free connection of
 * the pool, which busy requests may all have, and a connection that hangs is left behind instead of waited for.
 */
import pg from 'pg';
import type { Database } from './database.ts';
import { resultTypes } from './result-types.ts';

export class ProbeConnection {
  readonly #db: Pick<Database, 'url'>;
  #client: pg.Client | undefined;

  constructor(db: Pick<Database, 'url'>) {
    this.#db = db;
  }

  /** Throws when there is no answer within so many milliseconds. Not to be called again before it has answered. */
  async ask<R extends object>(sql: string, timeoutMs: number): Promise<R | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('the database does not answer')), timeoutMs);
    });
    try {
      return await Promise.race([this.#ask<R>(sql, timeoutMs), tooLate]);
    } catch (error) {
      this.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** A later question opens it again. */
  close(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.end().catch(() => undefined);
  }

  async #ask<R extends object>(sql: string, timeoutMs: number): Promise<R | undefined> {
    const client = this.#client ?? (await this.#open(timeoutMs));
    return (await client.query<R>(sql)).rows[0];
  }

  async #open(timeoutMs: number): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#db.url,
      application_name: 'forager probe',
      connectionTimeoutMillis: timeoutMs,
      types: resultTypes,
    });
    this.#client = client;
    // Whoever asks is told by the question that fails.
    client.on('error', () => {
      if (this.#client === client) this.close();
    });
    await client.connect();
    await client.query("set default_transaction_read_only = on; set timezone = 'UTC'");
    return client;
  }
}
