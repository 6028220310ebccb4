/** Something that is looked at again and again, and what became of it since the last look. */
import type { LiveEvent } from '../../contract/live.ts';
import type { Database, Statement } from '../../platform/database.ts';

export interface Watch {
  /** From now on: what is there already is no news. */
  begin(): Promise<void>;
  look(): Promise<LiveEvent[]>;
  /** After the database was lost: begins again when another one answers in its place, an older copy perhaps. */
  beginAgainIfReplaced?(): Promise<unknown>;
}

export interface ListWatchParts<Row> {
  /** Rows that are not over, those of $1, those with a number above $2, and the newest; by number. */
  readonly statement: Statement;
  readonly isOver: (row: Row) => boolean;
  readonly tell: (row: Row, before: Row | undefined) => LiveEvent[];
}

/** Rows that are numbered, live for a while, and are over one day. */
export class ListWatch<Row extends { readonly id: number }> implements Watch {
  readonly #db: Database;
  readonly #parts: ListWatchParts<Row>;
  #alive = new Map<number, Row>();
  #lastId = 0;

  constructor(db: Database, parts: ListWatchParts<Row>) {
    this.#db = db;
    this.#parts = parts;
  }

  async begin(): Promise<void> {
    this.#alive = new Map();
    // Nothing lies above it: only what is alive now, and the newest, which tells where the numbers are.
    this.#lastId = Number.MAX_SAFE_INTEGER;
    const rows = await this.#read();
    this.#lastId = 0;
    this.#remember(rows);
  }

  async look(): Promise<LiveEvent[]> {
    const { isOver, tell } = this.#parts;
    const rows = await this.#read();
    const events = rows.flatMap((row) => {
      const before = this.#alive.get(row.id);
      const isNews = before !== undefined || row.id > this.#lastId || !isOver(row);
      return isNews ? tell(row, before) : [];
    });
    this.#remember(rows);
    return events;
  }

  async #read(): Promise<Row[]> {
    const values = [[...this.#alive.keys()], this.#lastId];
    return (await this.#db.query<Row>(this.#parts.statement, values)).rows;
  }

  #remember(rows: readonly Row[]): void {
    this.#lastId = Math.max(this.#lastId, rows.at(-1)?.id ?? 0);
    const alive = rows.filter((row) => !this.#parts.isOver(row));
    this.#alive = new Map(alive.map((row) => [row.id, row]));
  }
}
