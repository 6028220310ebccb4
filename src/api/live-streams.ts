/** All open streams of this process: how many there may be, whether their readers may still read, and their end. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type LiveEvent, type LiveType, streamEvents } from '../contract/live.ts';
import type { Principal } from '../control/access/principal.ts';
import type { DomainId } from '../control/domains/find-domain.ts';
import { LiveFeed } from '../control/live/live-feed.ts';
import type { Place } from '../control/live/place.ts';
import { type Subscription, subscribe } from '../control/live/subscription.ts';
import type { Figures } from '../control/stats/figures.ts';
import { now } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { authenticate } from './authenticate.ts';
import { EventStream } from './event-stream.ts';
import { permit } from './permit.ts';
import { Refusal } from './refusal.ts';

export const MOST_STREAMS = 500;
export const MOST_STREAMS_OF_ACCOUNT = 20;
/** Between two signs of life; each time it is also asked whether the reader may still read. */
const BEAT_MS = 15_000;

export interface StreamParts {
  readonly db: Database;
  readonly figures: Pick<Figures, 'read'>;
  readonly beatMs?: number;
}

export interface StreamOrder {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly types: ReadonlySet<LiveType>;
  readonly domain: DomainId | undefined;
  readonly after: Place | 'unknown' | undefined;
}

interface OpenStream {
  readonly request: FastifyRequest;
  readonly account: string;
  stream: EventStream | undefined;
}

export class LiveStreams {
  readonly #db: Database;
  readonly #feed: LiveFeed;
  readonly #open = new Set<OpenStream>();
  readonly #beatMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isEnding = false;

  constructor({ db, figures, beatMs = BEAT_MS }: StreamParts) {
    this.#db = db;
    this.#beatMs = beatMs;
    this.#feed = new LiveFeed({ db, figures, onTrouble: (error) => this.#log(error) });
  }

  get count(): number {
    return this.#open.size;
  }

  /** Answers with a stream that goes on until one of the two ends it. */
  async open({ request, reply, ...order }: StreamOrder): Promise<FastifyReply> {
    if (reply.raw.destroyed) return reply.hijack();
    const place = this.#takePlace(request);
    let subscription: Subscription | undefined;
    const close = (): void => {
      subscription?.leave();
      this.#release(place);
    };
    reply.raw.once('close', close);
    try {
      subscription = await subscribe(this.#db, this.#feed, order);
    } catch (error) {
      reply.raw.off('close', close);
      this.#release(place);
      throw error;
    }
    if (!this.#open.has(place)) {
      // Whoever asked has hung up meanwhile.
      subscription.leave();
      return reply.hijack();
    }
    const stream = new EventStream(reply);
    place.stream = stream;
    const hello: LiveEvent = { type: 'hello', at: now().toISOString() };
    stream.send({ event: hello, ...(subscription.place === undefined ? {} : { place: subscription.place }) });
    for (const told of subscription.missed) stream.send(told);
    subscription.start((told) => stream.send(told));
    if (this.#isEnding) stream.end(endEvent('shutdown'));
    return reply;
  }

  /** A sign of life to everybody, and an end for those who may read no more. */
  async beat(): Promise<void> {
    for (const { stream } of this.#open) stream?.beat();
    for (const place of [...this.#open]) {
      if (!(await this.#mayStillRead(place.request))) place.stream?.end(endEvent('not-permitted'));
    }
  }

  /** The server stops: every stream ends with a last word. */
  endAll(): void {
    this.#isEnding = true;
    clearInterval(this.#timer);
    for (const { stream } of this.#open) stream?.end(endEvent('shutdown'));
  }

  async close(): Promise<void> {
    this.endAll();
    await this.#feed.close();
  }

  #takePlace(request: FastifyRequest): OpenStream {
    const account = accountOf(request.principal);
    if (this.#isEnding) throw new Refusal('overloaded', 'The server is stopping.');
    if (this.#open.size >= MOST_STREAMS) {
      throw new Refusal('overloaded', `${MOST_STREAMS} streams are open already: no more are served.`, {
        hint: 'try again later, or ask another server of the fleet',
        headers: { 'retry-after': '30' },
      });
    }
    const own = [...this.#open].filter((place) => place.account === account);
    if (own.length >= MOST_STREAMS_OF_ACCOUNT) {
      throw new Refusal(
        'rate-limited',
        `This account has ${own.length} streams open, and may have no more.`,
        {
          hint: 'close one that is not needed any more',
          headers: { 'retry-after': '30' },
        },
      );
    }
    const place: OpenStream = { request, account, stream: undefined };
    this.#open.add(place);
    this.#timer ??= setInterval(() => void this.beat().catch((error) => this.#log(error)), this.#beatMs);
    return place;
  }

  #release(place: OpenStream): void {
    this.#open.delete(place);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Only a clear no ends a stream: without a database nobody knows, and nothing is told. */
  async #mayStillRead(request: FastifyRequest): Promise<boolean> {
    try {
      permit(await authenticate(this.#db, request), streamEvents);
      return true;
    } catch (error) {
      return !(error instanceof Refusal);
    }
  }

  #log(error: unknown): void {
    const [place] = this.#open;
    place?.request.log.warn({ err: error }, 'live events');
  }
}

function accountOf(principal: Principal): string {
  return principal.account ?? principal.actor;
}

function endEvent(reason: 'shutdown' | 'not-permitted'): LiveEvent {
  return { type: 'end', reason, at: now().toISOString() };
}
