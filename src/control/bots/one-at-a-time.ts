/**
 * What belongs to one owner is done one after another. Those that are too many are refused. The pulls of one bot would
 * wait for each other in the database anyway, each with a connection that others need; of the pages that are handed in
 * for one job only the first is written.
 */
import { ForagerError } from '../../platform/errors.ts';

const MOST_IN_LINE = 20;

interface Line {
  length: number;
  last: Promise<unknown>;
}

export class OneAtATime {
  readonly #lines = new Map<number, Line>();
  readonly #what: string;

  /** For the refusal, such as 'pulls of this bot'. */
  constructor(what: string) {
    this.#what = what;
  }

  async run<T>(owner: number, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(owner) ?? { length: 0, last: Promise.resolve() };
    if (line.length >= MOST_IN_LINE) {
      throw new ForagerError('too-many-at-once', `${MOST_IN_LINE} ${this.#what} are being worked on.`, {
        hint: 'wait for an answer before asking for the next',
      });
    }
    this.#lines.set(owner, line);
    line.length += 1;
    const turn = line.last.then(work, work);
    line.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      line.length -= 1;
      if (line.length === 0) this.#lines.delete(owner);
    }
  }
}
