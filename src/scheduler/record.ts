/** What people are told of a scheduler: that it is there, whether it leads, what it did last. */
import { hostname } from 'node:os';
import type { Database } from '../platform/database.ts';
import { readProgramVersion } from '../platform/program-version.ts';
import { loadSql } from '../platform/sql-file.ts';
import { inTransaction } from '../platform/transaction.ts';

const register = loadSql(import.meta.url, './register-scheduler.sql');
const beat = loadSql(import.meta.url, './beat.sql');

export class SchedulerRecord {
  readonly #db: Database;
  readonly #id: string;
  #unsaidTicks = 0;
  #lastTickMs: number | undefined;

  constructor(db: Database, id: string) {
    this.#db = db;
    this.#id = id;
  }

  async enter(): Promise<void> {
    const values = [this.#id, hostname(), process.pid, readProgramVersion()];
    await inTransaction(this.#db, (tx) => tx.query(register, values));
  }

  noteTick(durationMs: number): void {
    this.#unsaidTicks += 1;
    this.#lastTickMs = Math.round(durationMs);
  }

  async beat(isLeading: boolean, isStopping = false): Promise<void> {
    const ticks = this.#unsaidTicks;
    this.#unsaidTicks = 0;
    const values = [this.#id, isLeading, ticks, this.#lastTickMs ?? null, isStopping];
    const { rowCount } = await inTransaction(this.#db, (tx) => tx.query(beat, values));
    if (rowCount === 0) await this.enter();
  }
}
