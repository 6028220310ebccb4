/**
 * What is asked of a domain besides its pages: robots.txt, per origin, before anything else of that origin, and
 * its sitemaps, one at a time, beside the pages. Both go through the domain's own gate, and before a page there.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { monotonicMs, now } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { inTransaction } from '../platform/transaction.ts';
import type { Settlement } from './claim/settle-domain.ts';
import type { CrawlSettings } from './crawl-settings.ts';
import type { DomainSession, SitemapTask } from './domain-session.ts';
import type { EngineEvents } from './events.ts';
import type { FetchRequest, FetchResult } from './fetch/fetch-result.ts';
import { canonicalDomain, registrableDomain } from './frontier/canonical-domain.ts';
import type { LinkContext } from './frontier/find-links.ts';
import { readSitemapTask } from './frontier/read-sitemap-task.ts';
import { resolveLink } from './frontier/resolve-link.ts';
import { wellKnownSitemap } from './frontier/sitemap.ts';
import type { Committer } from './ingest/committer.ts';
import { insertSitemaps } from './ingest/write-sitemaps.ts';
import { Lanes } from './lanes.ts';
import { askRobots } from './politeness/ask-robots.ts';
import type { Passage } from './politeness/domain-gate.ts';
import type { RobotsEntry, RobotsReading } from './politeness/robots-book.ts';
import { saveRobots } from './politeness/robots-records.ts';
import type { ExitDesk, Way } from './proxies/exit-desk.ts';
import type { SocketShortage } from './socket-shortage.ts';

const MAX_SITEMAPS_FROM_ROBOTS = 100;
const MAX_SITEMAPS_AT_ONCE = 4;
/** While requests in flight fill the gate there is no time to wait for, only their end. */
const GATE_POLL_MS = 20;

export interface PreparationParts {
  readonly db: Database;
  readonly settings: CrawlSettings;
  readonly exits: ExitDesk;
  readonly events: EngineEvents;
  readonly committer: Committer;
  readonly shortage: SocketShortage;
  readonly linksOf: (session: DomainSession) => LinkContext;
  /** False while it is not known whether the leases are still ours. */
  readonly mayFetch: () => boolean;
  /** The session may go on. */
  readonly onReady: (session: DomainSession) => void;
  /** Nothing of the domain can be fetched, for a reason that lasts. */
  readonly onEnded: (session: DomainSession, end: Settlement) => void;
  /** The database did not take what was learned. */
  readonly onFailed: (error: unknown) => void;
}

export class Preparation {
  readonly #parts: PreparationParts;
  /** robots.txt as last read, also when stale: what to fall back on. */
  readonly #known = new WeakMap<DomainSession, Map<string, RobotsReading>>();
  /** A sitemap is held whole while it is read: only so many at a time, whatever the number of domains. */
  readonly #sitemapLanes = new Lanes(MAX_SITEMAPS_AT_ONCE);
  readonly #stopping = new AbortController();

  constructor(parts: PreparationParts) {
    this.#parts = parts;
    // One listener for each domain that waits: thousands are no leak.
    setMaxListeners(0, this.#stopping.signal);
  }

  /** Ends every wait; what was being asked is called off and asked again by another session. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Takes up what earlier sessions learned; fresh rules apply at once. */
  recall(session: DomainSession, readings: readonly RobotsReading[]): void {
    if (!this.#parts.settings.respectRobots) return;
    this.#known.set(session, new Map(readings.map((reading) => [reading.origin, reading])));
    for (const reading of readings) {
      const isUsable = reading.access === 'parse' || reading.access === 'allow-all';
      if (isUsable && reading.expiresAt > now()) this.#apply(session, session.robots.enter(reading));
    }
  }

  verdict(session: DomainSession, url: string): 'allowed' | 'denied' | 'preparing' {
    const origin = originOf(url);
    const { respectRobots, readSitemaps } = this.#parts.settings;
    if (!respectRobots) {
      // Nobody asks robots.txt, but the well-known sitemap is worth a look all the same.
      if (!readSitemaps || !session.readsSitemaps || session.hasMet(origin)) return 'allowed';
      return this.#prepare(session, () => this.#noteSitemaps(session, origin, []));
    }
    const verdict = session.robots.verdict(origin, url, now());
    if (verdict !== 'unknown') return verdict;
    return this.#prepare(session, () => this.#learnRobots(session, origin));
  }

  /** Nothing of the domain starts before the task has ended. */
  #prepare(session: DomainSession, task: () => Promise<void>): 'preparing' {
    session.isBusy = true;
    void task()
      .catch((error: unknown) => this.#parts.onFailed(error))
      .finally(() => {
        session.isBusy = false;
        this.#parts.onReady(session);
      });
    return 'preparing';
  }

  /** Starts reading the next sitemap, if there is one; pages wait meanwhile only for their turn at the gate. */
  startSitemap(session: DomainSession): boolean {
    const [next] = session.sitemaps;
    if (session.isReadingSitemap || next === undefined) return false;
    const verdict = this.verdict(session, next.url);
    if (verdict === 'preparing') return true;
    session.sitemaps.shift();
    if (verdict === 'denied') {
      this.#failSitemap(session, next.url, 'disallowed by robots.txt');
      return false;
    }
    session.isReadingSitemap = true;
    void this.#sitemapLanes
      .run(() => this.#readSitemap(session, next))
      .catch((error: unknown) => this.#failSitemap(session, next.url, String(error)))
      .finally(() => {
        session.isReadingSitemap = false;
        this.#parts.onReady(session);
      });
    return true;
  }

  async #learnRobots(session: DomainSession, origin: string): Promise<void> {
    const { db, settings, events } = this.#parts;
    const { lease } = session;
    const answer = await askRobots({
      session,
      origin,
      known: this.#known.get(session)?.get(origin),
      fetch: (request) => this.#fetchThroughGate(session, request),
      wait: (ms) => this.#pause(ms),
      maxHoldMs: settings.maxHoldMs,
    });
    if (answer.kind === 'called-off') return;
    const entry = session.robots.enter(answer.reading);
    await inTransaction(db, (tx) => saveRobots(tx, lease.domainId, answer.reading, entry.crawlDelaySeconds));
    const { access, note } = answer.reading;
    events.emit('robots:read', { domain: lease.domain, origin, access, note });
    if (answer.kind === 'ended') {
      // A link to an origin that does not exist (https on a site without, a www that is not there) closes
      // that origin only; a server that answers "later" speaks for the domain.
      const isOriginOnly = answer.end.status === 'unreachable' && session.robots.hasAnswer(now());
      if (!isOriginOnly) this.#end(session, answer.end);
    } else {
      this.#apply(session, entry);
      if (settings.readSitemaps && session.readsSitemaps)
        await this.#noteSitemaps(session, origin, entry.sitemaps);
    }
  }

  /** Nothing of the domain can be fetched: what was ordered learns of it. */
  #end(session: DomainSession, end: Settlement): void {
    const isLasting = end.status === 'unreachable' || end.code === 'private_address';
    if (isLasting) this.#parts.onEnded(session, end);
    session.earlyEnd ??= end;
  }

  /** What robots.txt, or its absence, says to a URL that it denies. */
  whyDenied(session: DomainSession, url: string): string | undefined {
    return session.robots.entryFor(originOf(url), now())?.reading.note;
  }

  #apply(session: DomainSession, entry: RobotsEntry): void {
    const { settings, events } = this.#parts;
    if (entry.crawlDelaySeconds === undefined) return;
    const askedMs = entry.crawlDelaySeconds * 1000;
    const usedMs = Math.min(askedMs, settings.maxCrawlDelayMs);
    session.gate.raiseDelay(usedMs);
    if (usedMs < askedMs) {
      events.emit('robots:delay-capped', {
        domain: session.lease.domain,
        askedSeconds: askedMs / 1000,
        usedSeconds: usedMs / 1000,
      });
    }
  }

  async #noteSitemaps(session: DomainSession, origin: string, named: readonly string[]): Promise<void> {
    const resolved = named
      .slice(0, MAX_SITEMAPS_FROM_ROBOTS)
      .flatMap((url) => resolveLink(url, origin) ?? [])
      .filter((url) => isOfSite(url, session.lease.parentDomain));
    const urls = new Set([...resolved, wellKnownSitemap(origin)]);
    const { domainId } = session.lease;
    const sitemaps = [...urls].map((url) => ({ domainId, url, nesting: 0 }));
    const added = await inTransaction(this.#parts.db, (tx) => insertSitemaps(tx, sitemaps));
    session.addSitemaps(added.map((url) => ({ url, nesting: 0 })));
  }

  async #readSitemap(session: DomainSession, task: SitemapTask): Promise<void> {
    const { committer, events } = this.#parts;
    if (this.#isCalledOff(session) || session.earlyEnd !== undefined) return;
    const reading = await readSitemapTask(task, {
      session,
      fetch: (request) => this.#fetchThroughGate(session, request),
      links: this.#parts.linksOf(session),
      deliver: async (found) => {
        committer.addFound(session.lease, found, session.consecutiveErrors);
        if (committer.isFull) await committer.flush();
      },
    });
    if (reading === undefined) return;
    committer.addSitemap(reading, session.consecutiveErrors);
    session.addSitemaps(reading.children);
    if (reading.urlsCount > 0) committer.tally('sitemap:urls', reading.urlsCount);
    events.emit('sitemap:read', {
      domain: session.lease.domain,
      url: task.url,
      urlsCount: reading.urlsCount,
      note: reading.note,
    });
  }

  #failSitemap(session: DomainSession, url: string, note: string): void {
    this.#parts.committer.addSitemap(
      { lease: session.lease, url, state: 'failed', urlsCount: 0, note, children: [] },
      session.consecutiveErrors,
    );
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#stopping;
    await delay(Math.max(0, ms), undefined, { signal }).catch(() => undefined);
  }

  #isCalledOff(session: DomainSession): boolean {
    const isOver = session.isLost || session.isHandedOver || session.earlyEnd !== undefined;
    return isOver || this.#stopping.signal.aborted;
  }

  async #fetchThroughGate(session: DomainSession, request: FetchRequest): Promise<FetchResult> {
    for (;;) {
      const passed = await this.#passGate(session);
      if (passed === undefined) return calledOff();
      const paced = { ...request, repeatDelayMs: session.gate.delayMs };
      const result = await this.#parts.exits.fetch(session, passed.way, paced);
      session.gate.finish(passed.passage, result.timing);
      if (result.kind === 'failure' && result.reason === 'no-socket') {
        this.#parts.shortage.note(session, result.message);
      }
      this.#parts.onReady(session);
      if (!isUnasked(result)) return result;
    }
  }

  /** Undefined: called off meanwhile. Whoever sees the gate open goes through in the same step, or two would. */
  async #passGate(
    session: DomainSession,
  ): Promise<{ readonly passage: Passage; readonly way: Way | undefined } | undefined> {
    session.waitingAtGate += 1;
    try {
      while (!this.#isCalledOff(session)) {
        const nowMs = monotonicMs();
        const readyMs = this.#parts.mayFetch() ? session.gate.readyAtMs(nowMs) : undefined;
        if (readyMs === undefined || readyMs > nowMs) {
          await this.#pause(readyMs === undefined ? GATE_POLL_MS : readyMs - nowMs);
          continue;
        }
        const exit = this.#parts.exits.take(session);
        if (exit.kind === 'open') return { passage: session.gate.start(), way: exit.way };
        await this.#pause(exit.waitMs ?? GATE_POLL_MS);
      }
      return undefined;
    } finally {
      session.waitingAtGate -= 1;
    }
  }
}

/** It never reached the site, and that is no fault of the site's: it is asked for again. */
function isUnasked(result: FetchResult): boolean {
  return result.kind === 'failure' && (result.reason === 'no-socket' || result.reason === 'no-exit');
}

/** A robots.txt may name sitemaps anywhere; requests to strangers are not ours to make under this lease. */
function isOfSite(url: string, parentDomain: string): boolean {
  const domain = canonicalDomain(url);
  return domain !== undefined && registrableDomain(domain) === parentDomain;
}

function originOf(url: string): string {
  const pathStart = url.indexOf('/', url.indexOf('//') + 2);
  return pathStart < 0 ? url : url.slice(0, pathStart);
}

function calledOff(): FetchResult {
  const timing = { sentAtMs: monotonicMs(), headersAtMs: undefined, durationMs: 0 };
  return { kind: 'failure', reason: 'aborted', message: 'called off', status: undefined, timing };
}
