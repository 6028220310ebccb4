/**
 * The queue of bodies that wait to be parsed: tasks in `queued_parse`, whoever may parse them. A parser has what it
 * takes for a limited time, which it prolongs; of one that is gone another takes over.
 */
import { randomInt } from 'node:crypto';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { inIndexOrder } from '../claim/claim-domains.ts';
import type { ParseLot, ParseTask } from './parse-task.ts';

const hasParses = loadSql(import.meta.url, './has-parses.sql');
const freeParses = loadSql(import.meta.url, './free-parses.sql');
const takeParses = loadSql(import.meta.url, './take-parses.sql');
const renewParses = loadSql(import.meta.url, './renew-parses.sql');
const giveBackParses = loadSql(import.meta.url, './give-back-parses.sql');
const forgetLives = loadSql(import.meta.url, './forget-lives.sql');

const MOST_FREED_AT_ONCE = 500;
const LARGEST_NUMBER = 2 ** 47;

export class ParseQueue {
  readonly #db: Database;
  readonly #workerId: string;
  readonly #lockMs: number;

  constructor(db: Database, workerId: string, lockMs: number) {
    this.#db = db;
    this.#workerId = workerId;
    this.#lockMs = lockMs;
  }

  /** One look that changes nothing: for parsers that have nothing to do. */
  async hasWork(): Promise<boolean> {
    const { rows } = await this.#db.query<{ has_work: boolean }>(hasParses);
    return rows[0]?.has_work === true;
  }

  /** The most urgent ones, up to `limit`; what parsers that are gone have left behind is among them. */
  async take(limit: number): Promise<ParseLot> {
    const number = randomInt(1, LARGEST_NUMBER);
    const tasks = await inTransaction(this.#db, async (tx) => {
      await tx.query(inIndexOrder);
      await tx.query(freeParses, [this.#workerId, MOST_FREED_AT_ONCE]);
      const { rows } = await tx.query<ParseTask>(takeParses, [this.#workerId, limit, this.#lockMs, number]);
      return rows;
    });
    return { number, tasks };
  }

  /** Which of these the parser still has; for those it has time again. */
  async renew(lot: ParseLot, tasks: readonly ParseTask[]): Promise<ReadonlySet<number>> {
    const values = [this.#workerId, lot.number, tasks.map(({ id }) => id), this.#lockMs];
    const { rows } = await inTransaction(this.#db, (tx) => tx.query<{ id: number }>(renewParses, values));
    return new Set(rows.map(({ id }) => id));
  }

  async giveBack(lot: ParseLot, tasks: readonly ParseTask[]): Promise<void> {
    if (tasks.length === 0) return;
    const values = [this.#workerId, lot.number, tasks.map(({ id }) => id)];
    await inTransaction(this.#db, (tx) => tx.query(giveBackParses, values));
  }

  /** Whoever had this name before is gone: what it had need not wait for its time to run out. */
  async forgetEarlierLives(): Promise<void> {
    await inTransaction(this.#db, (tx) => tx.query(forgetLives, [this.#workerId]));
  }
}
