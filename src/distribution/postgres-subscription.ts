/** One who takes hints that were notified. `later`: the same hint is offered here again, a few times. */
import { backoffMs } from './backoff.ts';
import type { TakeHint, WorkHint, WorkKind } from './distribution.ts';
import { HintDesk } from './hand-over.ts';
import type { Warn } from './trouble-book.ts';

/** Hints of a moment in which more comes in than can be taken; the oldest are forgotten. */
const MOST_WAITING = 5000;
const MOST_HELD = 500;
const MOST_OFFERS = 8;
const LATER = { firstMs: 200, mostMs: 10_000 };

export class PostgresSubscription {
  readonly #kind: WorkKind;
  readonly #desk: HintDesk;
  readonly #held = new Set<NodeJS.Timeout>();
  #isClosed = false;

  constructor(kind: WorkKind, take: TakeHint, warn: Warn) {
    this.#kind = kind;
    this.#desk = new HintDesk(take, { mostWaiting: MOST_WAITING, warn });
  }

  offer(hint: WorkHint): void {
    if (hint.kind === this.#kind) this.#offer(hint, 1);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#held) clearTimeout(timer);
    this.#held.clear();
    await this.#desk.close();
  }

  #offer(hint: WorkHint, offers: number): void {
    this.#desk.offer({
      hint,
      settle: (outcome) => {
        if (outcome === 'later') this.#hold(hint, offers);
      },
    });
  }

  /** Everybody was told of it: whoever has room has it by then, and looking finds it in any case. */
  #hold(hint: WorkHint, offers: number): void {
    if (this.#isClosed || offers >= MOST_OFFERS || this.#held.size >= MOST_HELD) return;
    const timer = setTimeout(
      () => {
        this.#held.delete(timer);
        this.#offer(hint, offers + 1);
      },
      backoffMs(offers - 1, LATER),
    );
    this.#held.add(timer);
  }
}
