/**
 * A worker: leases domains of a run, takes their due URLs through the journey, and gives them back.
 *
 * Everything here is one thread's bookkeeping: which sessions exist, who is ready next, how much is in
 * flight. Decisions live elsewhere: the gate says when, the outcome table says what next, the committer
 * writes. "Finished" is read from the database, never concluded from an empty queue.
 */
import { monotonicMs, now } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { ConnectionLost } from '../platform/errors.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { ClaimedDomain } from './claim/claim-domains.ts';
import { ClaimPace } from './claim/claim-pace.ts';
import { LeaseKeeper, type PageLimits, type WaitsFor } from './claim/lease-keeper.ts';
import type { CrawlSettings } from './crawl-settings.ts';
import type { DomainSession } from './domain-session.ts';
import type { EngineEvents } from './events.ts';
import type { ParserRegistry } from './extract/registry.ts';
import type { FetchRequest } from './fetch/fetch-result.ts';
import type { Fetcher } from './fetch/fetcher.ts';
import type { LinkContext } from './frontier/find-links.ts';
import type { Scope } from './frontier/scope.ts';
import { SeenFilter } from './frontier/seen-filter.ts';
import { countRemovals } from './frontier/url-removals.ts';
import type { BlobStore } from './images/blob-store.ts';
import { ImageHosts, MOST_HOSTS_OF_DOMAIN } from './images/image-hosts.ts';
import type { Batch } from './ingest/batch.ts';
import type { CommitResult } from './ingest/commit-batch.ts';
import { Committer } from './ingest/committer.ts';
import { type Arrival, visitUrl } from './journey.ts';
import { noteVisit } from './note-visit.ts';
import { Preparation } from './preparation.ts';
import { ExitDesk, type Way } from './proxies/exit-desk.ts';
import { ProxyBook } from './proxies/proxy-book.ts';
import { ReadyQueue } from './ready-queue.ts';
import { LONGEST_TIMER_MS, Signal } from './signal.ts';
import { SocketShortage } from './socket-shortage.ts';
import type { BodyStore } from './store/body-store.ts';
import { Supply } from './supply.ts';
import { type DueUrl, deniedVisit, type Visit } from './visit.ts';

/** How often to look for domains that became claimable and for leases that need renewing. */
const LOOK_AROUND_MS = 1000;
/** A domain that could be asked this long ago and was not: there is more to do than this worker can. */
const LATE_MS = 250;
const SATURATED_FOR_MS = 2000;

export interface WorkerParts {
  readonly db: Database;
  readonly workerId: string;
  readonly runId: number;
  readonly settings: CrawlSettings;
  readonly fetcher: Fetcher;
  /** What passwords of proxies are opened with; without it, those that have one cannot be used. */
  readonly openSecrets?: (() => Promise<SecretBox>) | undefined;
  readonly store: BodyStore | undefined;
  /** Where images are kept; without it none are asked for. */
  readonly blobs?: BlobStore | undefined;
  /** Undefined: pages are not looked at for products. */
  readonly parsers?: ParserRegistry | undefined;
  /** What belongs to a domain's crawl. */
  readonly scopeOf: (claimed: ClaimedDomain) => Scope;
  readonly limits: PageLimits;
  /** Nothing left to claim is no reason to end: there will be. */
  readonly isEndless: boolean;
  readonly events: EngineEvents;
  /** Domains given up on in this run: not to be claimed again and again. The worker adds to it. */
  readonly givenUp: Set<number>;
}

export class Worker {
  readonly #parts: WorkerParts;
  readonly #sessions = new Map<number, DomainSession>();
  readonly #ready = new ReadyQueue<DomainSession>();
  readonly #seen = new SeenFilter();
  /** What is remembered as seen holds as long as no URLs are removed. */
  #removals: number | undefined;
  readonly #leases: LeaseKeeper;
  readonly #committer: Committer;
  readonly #preparation: Preparation;
  readonly #supply: Supply;
  readonly #proxies: ProxyBook;
  readonly #exits: ExitDesk;
  readonly #shortage: SocketShortage;
  readonly #change = new Signal();
  readonly #pace = new ClaimPace();
  #inFlight = 0;
  #makeRoomAtMs = 0;
  #saturatedAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;
  #failure: unknown;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    const { db, runId, workerId, settings, store, blobs } = parts;
    this.#leases = new LeaseKeeper(parts);
    this.#shortage = new SocketShortage(parts.events);
    this.#committer = new Committer(
      {
        db,
        runId,
        workerId,
        store,
        blobs,
        leaseMs: settings.leaseMs,
        maxRetries: settings.maxRetries,
        refresh: settings.refresh,
        mayAddTaskDomains: settings.mayAddTaskDomains,
        batchPages: settings.batchPages,
        batchMs: settings.batchMs,
      },
      {
        onCommitted: (batch, result) => this.#noteCommitted(batch, result),
        onFailed: (batch, error) => this.#noteFailed(batch, error),
      },
    );
    const onReady = (session: DomainSession): void => {
      this.#enqueue(session);
      this.#pump();
    };
    const onFailed = (error: unknown): void => this.#fail(error);
    this.#supply = new Supply({ db, workerId, settings, committer: this.#committer, onReady, onFailed });
    this.#proxies = new ProxyBook(parts);
    this.#exits = new ExitDesk({
      book: this.#proxies,
      fetcher: parts.fetcher,
      note: (session, use) => this.#committer.addProxyUse(session.lease, use, session.consecutiveErrors),
      ...{ onReady, onFailed },
    });
    this.#preparation = new Preparation({
      db,
      settings,
      exits: this.#exits,
      events: parts.events,
      committer: this.#committer,
      shortage: this.#shortage,
      linksOf: (session) => this.#linksOf(session),
      mayFetch: () => !this.#leases.isInDoubt,
      onEnded: (session, end) => this.#supply.failTasks(session, end),
      ...{ onReady, onFailed },
    });
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get domainCount(): number {
    return this.#sessions.size;
  }

  /** How many more domains it could work on, if there were any to claim. */
  get wantedCount(): number {
    return this.#pace.hasFoundNothing && !this.isSaturated && !this.#isStopping ? this.#room : 0;
  }

  /** It holds nothing, and found nothing when it last looked. */
  get isOutOfWork(): boolean {
    return this.#sessions.size === 0 && this.#pace.hasFoundNothing;
  }

  /** Domains wait for it although nothing but this worker keeps them waiting. */
  get isSaturated(): boolean {
    return monotonicMs() - this.#saturatedAtMs < SATURATED_FOR_MS;
  }

  /** Gives up to `count` domains to whoever claims them; returns how many. */
  handOver(count: number): number {
    // Those that are waiting anyway can go at once.
    const chosen = [...this.#sessions.values()]
      .filter((session) => !this.#isOver(session) && !session.isBusy && !session.isReadingSitemap)
      .sort((a, b) => a.visitsInFlight - b.visitsInFlight)
      .slice(0, count);
    for (const session of chosen) this.#handOver(session);
    return chosen.length;
  }

  /** For a while it claims nothing, so that what it gave up goes to others. */
  leaveToOthers(forMs: number): void {
    this.#pace.leaveToOthers(forMs);
  }

  /** Tasks of a domain have become ready: one of ours looks for them, one that is free may be claimed. */
  noteTasks(domainId: number, isUrgent = false): 'ours' | 'claimable' | 'full' {
    const session = this.#sessions.get(domainId);
    if (session !== undefined && !this.#isOver(session) && !session.isEnding) {
      session.hasTasks = true;
      this.#enqueue(session);
      this.#pump();
      return 'ours';
    }
    if (this.#isStopping || (this.#room <= 0 && !(isUrgent && this.#makeRoom()))) return 'full';
    this.lookAround();
    return 'claimable';
  }

  /** What is urgent does not wait for somebody's turn to be over: a domain with no tasks gives way, one in a moment. */
  #makeRoom(): boolean {
    const nowMs = monotonicMs();
    if (nowMs < this.#makeRoomAtMs) return true;
    const chosen = [...this.#sessions.values()]
      .filter(
        (session) => !this.#isOver(session) && !session.isEnding && !session.isBusy && !session.hasTakenTasks,
      )
      .sort((a, b) => a.visitsInFlight - b.visitsInFlight)[0];
    if (chosen === undefined) return false;
    this.#makeRoomAtMs = nowMs + LOOK_AROUND_MS;
    this.#handOver(chosen);
    return true;
  }

  /** There is something new to claim. */
  lookAround(): void {
    this.#pace.hurry();
    this.#change.raise();
  }

  #handOver(session: DomainSession): void {
    session.isHandedOver = true;
    this.#advance(session, monotonicMs());
  }

  /** Stops starting; what is in flight ends, is committed, and every lease is given back. */
  stop(): void {
    this.#isStopping = true;
    this.#preparation.stop();
    this.#exits.stop();
    this.#change.raise();
  }

  /** Works until nothing claimable is left (an endless one goes on looking), or until it is told to stop. */
  async work(): Promise<void> {
    try {
      for (;;) {
        this.#throwFailure();
        // First what it has: after a long sleep a claim could bring the very domains whose leases have run out.
        await this.#renewInTime();
        if (this.#isStopping) this.#wrapUp();
        else await this.#claimInTime();
        if (this.#sessions.size === 0 && (this.#isStopping || !this.#parts.isEndless)) break;
        this.#pump();
        await this.#change.wait(this.#msToNextLook());
      }
      await this.#committer.flush();
      this.#throwFailure();
    } catch (error) {
      this.#fail(error);
      // Another worker is about to take these domains over: two must never speak to one at the same time.
      while (error instanceof ConnectionLost && this.#inFlight > 0) await this.#change.wait(LOOK_AROUND_MS);
      throw error;
    } finally {
      clearTimeout(this.#timer);
    }
  }

  /** Sessions that wait for a far moment (a crawl delay, a rest) end now, not then. */
  #wrapUp(): void {
    for (const session of this.#sessions.values()) this.#advance(session, monotonicMs());
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  // ── claim ──────────────────────────────────────────────────────────────────────────────────────────

  get #room(): number {
    return this.#parts.settings.maxDomains - this.#sessions.size;
  }

  #msToNextLook(): number {
    const untilClaimMs = this.#room > 0 ? this.#pace.msToNext : LOOK_AROUND_MS;
    return Math.min(LOOK_AROUND_MS, Math.max(1, untilClaimMs));
  }

  async #claimInTime(): Promise<void> {
    if (this.#room <= 0 || !this.#pace.isDue(this.#sessions.size === 0)) return;
    this.#pace.noteFound(await this.#claimMore());
  }

  async #renewInTime(): Promise<void> {
    const renewal = await this.#leases.renewInTime([...this.#sessions.values()]);
    const { lost, wantedElsewhere, withTasks, toRest } = renewal;
    for (const session of withTasks) this.noteTasks(session.lease.domainId);
    for (const session of toRest) this.#advance(session, monotonicMs());
    for (const session of lost) this.#lose(session);
    if (lost.length > 0) this.#seen.clear();
    for (const session of wantedElsewhere) this.#handOver(session);
    await this.#proxies.refreshInTime([...this.#sessions.values()]);
  }

  async #claimMore(): Promise<number> {
    const { events } = this.#parts;
    const opened = await this.#leases.claim(this.#room);
    if (opened.length > 0) await this.#forgetRemoved();
    await this.#proxies.equip(opened.map(({ session }) => session));
    for (const { session, knownRobots, idleMs, claimed } of opened) {
      session.links = this.#makeLinks(session, this.#parts.scopeOf(claimed));
      // It had lost the domain without noticing: whatever the old session asked for was asked just now at the latest.
      const old = this.#sessions.get(session.lease.domainId);
      if (old !== undefined) {
        this.#lose(old);
        this.#seen.clear();
      }
      this.#sessions.set(session.lease.domainId, session);
      this.#preparation.recall(session, knownRobots);
      session.gate.continueAfter(old === undefined ? idleMs : 0, monotonicMs());
      events.emit('domain:claimed', { domain: session.lease.domain });
      this.#enqueue(session);
    }
    return opened.length;
  }

  /** Asked after a claim: whoever removes URLs of a domain holds its row, and takes it away from its holder. */
  async #forgetRemoved(): Promise<void> {
    const removals = await countRemovals(this.#parts.db);
    if (this.#removals !== undefined && this.#removals !== removals) this.#seen.clear();
    this.#removals = removals;
  }

  // ── the pump: who is ready, and may it start? ──────────────────────────────────────────────────────

  /** Ready at once or at a later time. The earliest goes first: nobody waits behind one who is always ready. */
  #enqueue(session: DomainSession, atMs = monotonicMs()): void {
    if (session.isQueued) return;
    session.isQueued = true;
    this.#ready.push(session, atMs);
  }

  #pump(): void {
    if (this.#leases.isInDoubt) {
      this.#change.raise();
      return;
    }
    while (this.#hasSlot) {
      const readyMs = monotonicMs();
      if (readyMs - (this.#ready.nextAtMs() ?? readyMs) > LATE_MS) this.#saturatedAtMs = readyMs;
      const session = this.#ready.popReady(readyMs);
      if (session === undefined) break;
      session.isQueued = false;
      this.#advance(session, readyMs);
    }
    const nowMs = monotonicMs();
    // Somebody is ready, and there is no slot for it.
    if (!this.#hasSlot && (this.#ready.nextAtMs() ?? Number.POSITIVE_INFINITY) <= nowMs)
      this.#saturatedAtMs = nowMs;
    this.#armTimer(nowMs);
  }

  /** Of the fleet: its domains may have tasks, and its links belong to each domain's own scope. */
  get #isStanding(): boolean {
    return this.#parts.limits.turnPages !== undefined;
  }

  get #hasSlot(): boolean {
    return this.#inFlight < this.#parts.settings.maxInFlight && !this.#committer.isFull;
  }

  #armTimer(nowMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const nextMs = this.#ready.nextAtMs();
    // Ready but held back by a limit: whatever ends next pumps again.
    if (nextMs === undefined || nextMs <= nowMs) return;
    this.#timer = setTimeout(() => this.#pump(), Math.min(Math.ceil(nextMs - nowMs), LONGEST_TIMER_MS));
  }

  /** Takes a session one step further: start a visit, prepare, refill, wait, or end. */
  #advance(session: DomainSession, nowMs: number): void {
    if (this.#isOver(session)) {
      session.dropQueued();
      this.#endWhenIdle(session);
      return;
    }
    // It is being given back: whoever has it next takes what has come meanwhile.
    if (session.isEnding) return;
    if (session.budget.isSpent) session.leavePages();
    if (session.isBusy || session.waitingAtGate > 0) return;
    const readyMs = session.gate.readyAtMs(nowMs);
    if (readyMs === undefined) return;
    if (readyMs > nowMs) {
      this.#enqueue(session, readyMs);
      return;
    }
    // What it starts goes through the gate first: the next look finds the gate as that left it.
    if (!session.isImagesOnly && this.#preparation.startSitemap(session)) {
      this.#enqueue(session);
      return;
    }
    this.#supply.replenish(session);
    const due = session.peek();
    if (due === undefined) {
      if (session.isDry && !session.hasTasks) this.#endWhenIdle(session);
      return;
    }
    // Whether one that was missing is gone is told by those that are there: their answers come first.
    if (isMissing(due) && session.confirmedCount === 0 && session.visitsInFlight > 0) return;
    const verdict = this.#preparation.verdict(session, due.url);
    if (verdict === 'preparing') return;
    if (verdict === 'denied') {
      session.take();
      this.#deny(session, due);
      return;
    }
    // An order is not a part of anybody's turn; an image is, but it is not a page of a crawl that is limited. The visits under way may use the rest of it up or give some of it back;
    // their end looks again.
    const isCounted = due.task === undefined && (due.isImage !== true || this.#isStanding);
    if (isCounted && !session.budget.tryReserve()) return;
    const exit = this.#exits.take(session);
    if (exit.kind === 'open') {
      session.take();
      this.#start(session, due, { isCounted, way: exit.way });
      return;
    }
    if (isCounted) session.budget.settle(false);
    if (exit.waitMs !== undefined) this.#enqueue(session, nowMs + exit.waitMs);
  }

  /** Nothing of it may start any more, whatever is left of it. */
  #isOver(session: DomainSession): boolean {
    const isUsedUp = session.budget.isSpent && !this.#mayStillFetchImages;
    return session.isLost || this.#isCalledOff(session) || isUsedUp;
  }

  #isCutShort(session: DomainSession): boolean {
    return this.#isCalledOff(session) || session.budget.isSpent;
  }

  #waitsFor(session: DomainSession): WaitsFor {
    if (this.#isCalledOff(session)) return 'nothing';
    if (!session.budget.isSpent) return 'anything';
    return this.#mayStillFetchImages ? 'images' : 'nothing';
  }

  #isCalledOff({ earlyEnd, isHandedOver }: DomainSession): boolean {
    return earlyEnd !== undefined || isHandedOver || this.#isStopping;
  }

  /** Of the pages that a limited crawl has read; in the standing order they have their place in the next turn. */
  get #mayStillFetchImages(): boolean {
    return this.#parts.blobs !== undefined && !this.#isStanding;
  }

  // ── one visit ──────────────────────────────────────────────────────────────────────────────────────

  /** `isCounted`: a page of the budget is reserved for it. */
  #start(
    session: DomainSession,
    due: DueUrl,
    { isCounted, way }: { readonly isCounted: boolean; readonly way: Way | undefined },
  ): void {
    const { settings, store, parsers, blobs } = this.#parts;
    const passage = session.gate.start();
    session.visitsInFlight += 1;
    this.#inFlight += 1;
    this.#enqueue(session);
    const context = {
      settings,
      store,
      parsers,
      blobs,
      links: this.#linksOf(session),
      fetch: (request: FetchRequest) => this.#exits.fetch(session, way, request),
    };
    visitUrl(session, due, context)
      .then((arrival) => {
        session.gate.finish(passage, arrival.result.timing);
        const isSpent = arrival.kind === 'visited' && countsAsPage(arrival.visit);
        if (isCounted) session.budget.settle(isSpent);
        this.#arrive(session, arrival);
      })
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        session.visitsInFlight -= 1;
        this.#inFlight -= 1;
        this.#enqueue(session);
        this.#pump();
        if (this.#failure !== undefined) this.#change.raise();
      });
  }

  #arrive(session: DomainSession, arrival: Arrival): void {
    if (session.isLost) {
      // Its links were remembered as seen and will not be written: whoever reads it again must find them new.
      this.#seen.clear();
      return;
    }
    if (this.#failure !== undefined) return;
    if (arrival.kind === 'respelled') {
      session.putBack(arrival.due);
      return;
    }
    const { visit, found, next } = arrival;
    const isTask = visit.due.task !== undefined;
    // Called off: it was never visited, and is simply still due.
    if (visit.outcome.kind === 'aborted') {
      if (isTask) session.putBack(visit.due);
      else session.release([visit.due.id]);
      // It is still due, whatever the frontier has said before.
      session.isDry = false;
      const { fetchFailure, message } = visit.outcome;
      if (fetchFailure === 'no-socket') this.#shortage.note(session, message ?? '');
      return;
    }
    noteVisit(session, visit.outcome, this.#parts.settings, monotonicMs(), isTask);
    if (next !== undefined) session.putBack(next);
    const { kind, login } = visit.outcome;
    const isThere = (kind === 'page' || kind === 'image' || kind === 'not-modified') && login === undefined;
    if (visit.due.known !== undefined && isThere) {
      session.confirmedCount += 1;
    }
    this.#committer.addVisit(visit, found, session.consecutiveErrors);
    if (kind === 'throttled') {
      // What a limited run has promised to it is of use to others while it rests.
      if (this.#parts.limits.isRunLimited) session.isHandedOver = true;
      this.#committer.addRest(session.lease, new Date(now().getTime() + session.restMs(monotonicMs())));
    }
    this.#parts.events.emit('url:visited', {
      domain: session.lease.domain,
      url: visit.due.url,
      outcome: visit.outcome,
      bytes: visit.bytes,
      isPage: visit.page !== undefined,
    });
  }

  #deny(session: DomainSession, due: DueUrl): void {
    if (due.task === undefined) session.robotsDeniedCount += 1;
    const visit = deniedVisit(session.lease, due, now(), this.#preparation.whyDenied(session, due.url));
    this.#committer.addVisit(visit, { own: [], foreign: new Map() }, session.consecutiveErrors);
    this.#enqueue(session);
  }

  #linksOf(session: DomainSession): LinkContext {
    if (session.links === undefined) throw new Error(`The session of ${session.lease.domain} is not open.`);
    return session.links;
  }

  #makeLinks(session: DomainSession, scope: Scope): LinkContext {
    return {
      scope,
      seen: this.#seen,
      templates: session.templates,
      stripTrailingSlash: this.#parts.settings.stripTrailingSlash,
      domain: session.lease.domain,
      hasOwnScope: this.#isStanding,
      isExplored: session.isExplored,
      imagesMode: this.#parts.blobs === undefined ? 'off' : session.imagesMode,
      imageHosts: new ImageHosts(MOST_HOSTS_OF_DOMAIN),
      tally: (name, count) => this.#committer.tally(name, count),
    };
  }

  // ── what a commit changes ──────────────────────────────────────────────────────────────────────────

  #noteCommitted(batch: Batch, result: CommitResult): void {
    for (const { domainId, template } of result.knownTemplates) {
      this.#sessions.get(domainId)?.templates.takeBack(template);
    }
    const visited = batch.visitedByLease();
    for (const lease of batch.leases) {
      const session = this.#sessions.get(lease.domainId);
      // A domain that was lost and claimed again has a new session, of which this says nothing.
      if (session?.lease !== lease) continue;
      session.noteCommitted(visited.get(lease) ?? [], result.withMoreDue.has(lease.domainId));
      this.#proxies.settle(session, (proxyId) => this.#committer.holdsUseOf(proxyId));
      if (result.withTasks.has(lease.domainId) && this.#isStanding) session.hasTasks = true;
      if (result.lost.has(lease)) this.#lose(session);
      else if (result.wantedElsewhere.has(lease)) session.isHandedOver = true;
      // Read while its gate is closed: when it opens, the next URL is there.
      else {
        this.#supply.replenish(session, !this.#isOver(session) && !session.isEnding);
      }
      this.#enqueue(session);
    }
    // Links of the lost domains were remembered as seen but never written.
    if (result.lost.size > 0) this.#seen.clear();
    const tasks = result.leftToParsers;
    if (tasks.length > 0) this.#parts.events.emit('tasks:left-to-parsers', { tasks });
    this.#parts.events.emit('batch:committed', { visits: batch.visits.length, added: result.addedCount });
    this.#pump();
  }

  /** Nobody knows whether the batch was written: forget all that rests on it and start from the truth. */
  #noteFailed(_batch: Batch, error: unknown): void {
    this.#seen.clear();
    this.#fail(error);
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    if (error instanceof ConnectionLost) this.#parts.events.emit('database:lost', { message: error.message });
    this.#isStopping = true;
    this.#preparation.stop();
    this.#exits.stop();
    this.#change.raise();
  }

  #lose(session: DomainSession): void {
    session.isLost = true;
    session.dropQueued();
    this.#parts.events.emit('claim:lost', { domain: session.lease.domain });
    this.#advance(session, monotonicMs());
  }

  // ── the end of a session ───────────────────────────────────────────────────────────────────────────

  /** Nothing queued: once nothing is in flight or uncommitted either, the frontier has the last word. */
  #endWhenIdle(session: DomainSession): void {
    if (session.isEnding || session.visitsInFlight > 0 || session.isBusy || session.isReadingSitemap) return;
    if (session.isTakingTasks) return;
    if (session.isLost) {
      this.#forget(session);
      return;
    }
    // What a sitemap has brought is not held, but it is not in the frontier yet either.
    if (session.heldCount > 0 || this.#committer.holds(session.lease)) return;
    session.isEnding = true;
    void this.#end(session).catch((error: unknown) => this.#fail(error));
  }

  async #end(session: DomainSession): Promise<void> {
    if (await this.#hasWayOutAgain(session)) {
      session.earlyEnd = undefined;
      session.isEnding = false;
      session.isDry = false;
      this.#enqueue(session);
      this.#pump();
      return;
    }
    await this.#proxies.giveBack(session);
    const release = await this.#leases.release(session, this.#isCutShort(session), this.#waitsFor(session));
    if (release.kind === 'not-yet') {
      session.isEnding = false;
      session.isDry = false;
      this.#enqueue(session, monotonicMs() + (session.hasTasks ? 0 : release.waitMs));
      this.#pump();
      return;
    }
    this.#parts.events.emit('domain:released', {
      domain: session.lease.domain,
      status: release.status,
      code: release.settlement.code,
      reason: release.settlement.reason,
    });
    this.#forget(session);
    // Ordered while it was given back: it can be claimed again.
    if (session.hasTasks) this.lookAround();
  }

  /** It was to wait for a proxy; while its last requests came to their end somebody may have helped. */
  async #hasWayOutAgain(session: DomainSession): Promise<boolean> {
    if (session.earlyEnd?.code !== 'no_proxy' || session.isHandedOver || this.#isStopping) return false;
    await this.#proxies.equip([session]);
    return this.#exits.isOpen(session);
  }

  #forget(session: DomainSession): void {
    const { domainId } = session.lease;
    // One that was lost and claimed again has a new session, which stays.
    if (this.#sessions.get(domainId) === session) this.#sessions.delete(domainId);
    this.#change.raise();
  }
}

/** Of a turn, an image is as much a part as a page. */
function countsAsPage({ page, image }: Visit): boolean {
  return page !== undefined || image !== undefined;
}

function isMissing({ known }: DueUrl): boolean {
  return known !== undefined && known.missCount > 0;
}
