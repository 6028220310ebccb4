/**
 * Rows as they are committed. They are numbered when they are made, not when they are committed: a transaction that
 * takes its time comes to light after others with higher numbers. So a number that was passed over is asked for again
 * for a minute; then its transaction is taken to have been undone.
 */
import { monotonicMs } from '../../platform/clock.ts';
import type { Database, Statement } from '../../platform/database.ts';
import type { Place } from './place.ts';

const MOST_AT_ONCE = 1000;
const ASKED_FOR_MS = 60_000;
/** Enough for every transaction that can be under way; the rest are gaps that undone ones left. */
const MOST_MISSING = 500;

export interface TailStatements {
  /** Rows after number $1, at most $3, and those of $2 that exist by now; by number. */
  readonly readRows: Statement;
  /** The $1 highest numbers, highest first. */
  readonly readLastNumbers: Statement;
}

/** A row, and the place whoever has seen it and all before it has come to. */
export interface PlacedRow<Row> {
  readonly row: Row;
  readonly place: Place;
}

export class NumberedTail<Row extends { readonly id: number }> {
  readonly #db: Database;
  readonly #statements: TailStatements;
  #last = 0;
  /** By number: until when it is asked for. In order of number, lowest first. */
  #missing = new Map<number, number>();

  constructor(db: Database, statements: TailStatements) {
    this.#db = db;
    this.#statements = statements;
  }

  get place(): Place {
    return { last: this.#last, missing: [...this.#missing.keys()] };
  }

  /** From now on: what is committed after this is news, also under a number that others have passed already. */
  async begin(): Promise<void> {
    const { rows } = await this.#db.query<{ id: number }>(this.#statements.readLastNumbers, [MOST_AT_ONCE]);
    const numbers = rows.map(({ id }) => id).reverse();
    this.#missing = new Map();
    this.#last = numbers[0] ?? 0;
    for (const number of numbers.slice(1)) this.#advance(number);
  }

  /** True when the numbers have gone back: another database answers under the same name, from a backup perhaps. */
  async beginAgainIfReplaced(): Promise<boolean> {
    const { rows } = await this.#db.query<{ id: number }>(this.#statements.readLastNumbers, [1]);
    if ((rows[0]?.id ?? 0) >= this.#last) return false;
    await this.begin();
    return true;
  }

  /** What is new since the last time. There may be more of it when it is as much as is read at once. */
  async read(): Promise<{ rows: PlacedRow<Row>[]; isMore: boolean }> {
    const asked = [...this.#missing.keys()];
    const values = [this.#last, asked, MOST_AT_ONCE];
    const { rows } = await this.#db.query<Row>(this.#statements.readRows, values);
    const before = this.#last;
    const placed = rows.map((row) => {
      if (row.id > this.#last) this.#advance(row.id);
      else this.#missing.delete(row.id);
      return { row, place: this.place };
    });
    this.#forget(asked);
    return { rows: placed, isMore: rows.filter(({ id }) => id > before).length === MOST_AT_ONCE };
  }

  #advance(number: number): void {
    const untilMs = monotonicMs() + ASKED_FOR_MS;
    const first = Math.max(this.#last + 1, number - MOST_MISSING);
    for (let passed = first; passed < number; passed += 1) this.#missing.set(passed, untilMs);
    this.#last = number;
    for (const oldest of this.#missing.keys()) {
      if (this.#missing.size <= MOST_MISSING) break;
      this.#missing.delete(oldest);
    }
  }

  /** Only what was just asked for once more, and was not there. */
  #forget(asked: readonly number[]): void {
    const nowMs = monotonicMs();
    for (const number of asked) {
      if ((this.#missing.get(number) ?? Number.POSITIVE_INFINITY) < nowMs) this.#missing.delete(number);
    }
  }
}
