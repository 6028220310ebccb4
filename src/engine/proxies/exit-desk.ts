/**
 * Where every request of a worker gets its way out: directly, or through one of the proxies of its domain, never
 * directly in place of one. A domain without a way out waits a little, or is given back to wait, and says why.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { now } from '../../platform/clock.ts';
import type { DomainSession } from '../domain-session.ts';
import type { FetchRequest, FetchResult } from '../fetch/fetch-result.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import type { DomainExits, Pair } from './domain-exits.ts';
import { type ExitUse, fetchThrough } from './fetch-through.ts';
import type { ProxyBook } from './proxy-book.ts';

/** So long a domain is kept while it waits; for longer it is given back. */
const KEPT_WAITING_MS = 15_000;
const LONGEST_REST_MS = 3_600_000;
/** What keeps it waiting may be a request of another domain. */
const BUSY_MS = 100;

export interface ExitDeskParts {
  readonly book: ProxyBook;
  readonly fetcher: Fetcher;
  readonly note: (session: DomainSession, use: ExitUse) => void;
  /** The session may go on. */
  readonly onReady: (session: DomainSession) => void;
  readonly onFailed: (error: unknown) => void;
}

/** A proxy that was taken, and the ones it was taken from. */
export interface Way {
  readonly exits: DomainExits;
  readonly pair: Pair;
}

export type Exit =
  /** Without a way through proxies: directly. */
  | { readonly kind: 'open'; readonly way: Way | undefined }
  /** Not yet; without a time, somebody tells. */
  | { readonly kind: 'wait'; readonly waitMs: number | undefined };

const DIRECT: Exit = { kind: 'open', way: undefined };
const TOLD: Exit = { kind: 'wait', waitMs: undefined };

export class ExitDesk {
  readonly #parts: ExitDeskParts;
  readonly #stopping = new AbortController();

  constructor(parts: ExitDeskParts) {
    this.#parts = parts;
    setMaxListeners(0, this.#stopping.signal);
  }

  /** Nothing is asked a second time any more. */
  stop(): void {
    this.#stopping.abort();
  }

  /** The way out of the next request, which is made at once. */
  take(session: DomainSession): Exit {
    const { exits } = session;
    if (exits === undefined) return DIRECT;
    const nowMs = now().getTime();
    const choice = exits.choose(nowMs);
    switch (choice.kind) {
      case 'exit':
        exits.take(choice.pair, nowMs);
        if (exits.isLow(nowMs)) void this.#grant(session);
        return { kind: 'open', way: { exits, pair: choice.pair } };
      case 'ungranted':
        void this.#grant(session);
        return TOLD;
      case 'busy':
        return { kind: 'wait', waitMs: BUSY_MS };
      case 'none':
        if (choice.waitMs <= KEPT_WAITING_MS) return { kind: 'wait', waitMs: choice.waitMs };
        session.earlyEnd ??= {
          ...{ status: 'active', code: 'no_proxy', reason: choice.why },
          restMs: Math.min(LONGEST_REST_MS, choice.waitMs),
        };
        return { kind: 'wait', waitMs: 0 };
    }
  }

  /** Whether there is one, or will be soon. */
  isOpen({ exits }: DomainSession): boolean {
    const choice = exits?.choose(now().getTime());
    return choice?.kind !== 'none' || choice.waitMs <= KEPT_WAITING_MS;
  }

  fetch(session: DomainSession, way: Way | undefined, request: FetchRequest): Promise<FetchResult> {
    const { fetcher, note } = this.#parts;
    if (way === undefined) return fetcher.fetch(request);
    return fetchThrough(way.pair, request, {
      exits: way.exits,
      fetch: (changed) => fetcher.fetch(changed),
      nowMs: () => now().getTime(),
      note: (use) => note(session, use),
      pause: (ms) => this.#pause(session, ms),
    });
  }

  async #pause(session: DomainSession, ms: number): Promise<boolean> {
    const { signal } = this.#stopping;
    if (ms > 0) await delay(ms, undefined, { signal }).catch(() => undefined);
    return !signal.aborted && !session.isLost;
  }

  async #grant(session: DomainSession): Promise<void> {
    const { exits } = session;
    if (exits === undefined || exits.isGranting) return;
    exits.isGranting = true;
    try {
      await this.#parts.book.grant(session, exits);
    } catch (error) {
      this.#parts.onFailed(error);
    } finally {
      exits.isGranting = false;
      this.#parts.onReady(session);
    }
  }
}
