/**
 * One leased domain, in memory: its window of due URLs, its gate, its robots rules and what has been
 * learned about it since the claim. The worker asks it what to do next; it never does anything itself.
 *
 * Its life, as the worker's `#advance` sees it, from top to bottom:
 *
 *   ended?      isLost, isHandedOver, earlyEnd, a spent budget or a stop: drop the window; when nothing is in flight, being
 *               read or uncommitted any more, give the domain back (isEnding) or, if lost, forget it
 *   preparing?  isBusy (robots.txt is being read) or waitingAtGate: whoever is under way wakes the session
 *   too early?  the gate names a later time: isQueued until then
 *   sitemap?    one at a time (isReadingSitemap), beside the pages
 *   tasks?      explicit orders go first: a lot of them is taken (isTakingTasks) as long as there are any (hasTasks)
 *   low?        refill from the frontier (isRefilling); an answer with nothing new makes it dry
 *   due?        ask robots, reserve a page, start the visit; several at once as the gate allows
 *   dry?        isDry with nothing held: the frontier decides whether a retry is waited for or this is the end
 *
 * A commit that brought the domain new URLs, or left one due, makes it not dry again. What others find for it is
 * seen at the end, when the frontier has the last word.
 */
import type { Failure, FailureClass, SessionFacts, Settlement } from './claim/settle-domain.ts';
import { NO_PARSER } from './extract/registry.ts';
import type { LinkContext } from './frontier/find-links.ts';
import type { TemplateLedger } from './frontier/template-ledger.ts';
import type { PageBudget } from './page-budget.ts';
import type { DomainGate } from './politeness/domain-gate.ts';
import type { RobotsBook } from './politeness/robots-book.ts';
import type { DomainExits } from './proxies/domain-exits.ts';
import type { DueUrl, ImagesMode, Lease } from './visit.ts';

const SMALLEST_WINDOW = 16;
const LARGEST_WINDOW = 1000;
/** Tasks are taken for so long ahead: one that becomes more urgent, or is cancelled, should find few before it. */
const TASKS_AHEAD_MS = 2000;
const MOST_TASKS = 200;
const MAX_SITEMAPS = 5000;
/** A domain has a handful of origins; a hostile one must not grow this without end. */
const MAX_ORIGINS = 64;
/** Nor this: a login whose path differs from page to page is still one. */
const MAX_LOGINS = 16;

export class DomainSession {
  readonly lease: Lease;
  readonly gate: DomainGate;
  readonly robots: RobotsBook;
  readonly templates: TemplateLedger;
  readonly budget: PageBudget;
  readonly userAgent: string;
  /** Its known pages are read again, beside whatever is new. */
  readonly isRefreshing: boolean;
  /** False: it is there for its tasks only. */
  readonly isExplored: boolean;
  /** Who looks for products on its pages. */
  readonly parserName: string;
  readonly imagesMode: ImagesMode;
  /** Its sitemaps are worth reading: it is explored, and not there for images alone. */
  readonly readsSitemaps: boolean;
  /** Its pages are used up; images of those that were read are still fetched. */
  isImagesOnly = false;

  /** Explicit orders in our hands, next first. */
  #tasks: DueUrl[] = [];
  /** As far as we know there are more that nobody has taken. */
  hasTasks: boolean;
  isTakingTasks = false;
  /** Some were taken: those not worked on are given back at the end. */
  hasTakenTasks = false;

  /** Due URLs read from the frontier, next first. */
  #window: DueUrl[] = [];
  #next = 0;
  /** Everything taken from the frontier and not yet committed: queued, in flight, or in a batch. */
  readonly #held = new Set<string>();
  /**
   * Committed while a refill was being read. Its answer may be older than that commit: what it says is due
   * may be done by now, and "nothing due" proves nothing.
   */
  #committedMeanwhile: Set<string> | undefined;
  #windowSize = SMALLEST_WINDOW;

  /** The proxies that its requests go through; undefined: they go directly. */
  exits: DomainExits | undefined;

  /** What links found on this domain's pages are measured against. */
  links: LinkContext | undefined;
  /** Sitemaps still to be read, next first. */
  readonly sitemaps: SitemapTask[] = [];
  readonly #knownSitemaps = new Set<string>();
  readonly #metOrigins = new Set<string>();
  isReadingSitemap = false;
  /** robots.txt or a sitemap waits for the gate: it goes before any page. */
  waitingAtGate = 0;
  /** robots.txt is being read: nothing else may start. */
  isBusy = false;
  isRefilling = false;
  /** The frontier had nothing new at the last refill; what is still uncommitted may change that. */
  isDry = false;
  isQueued = false;
  /** Why the session ends before its frontier does, once something has decided that it must. */
  earlyEnd: Settlement | undefined;
  isLost = false;
  /** Others are to have it: it ends as it is, neither finished nor given up. */
  isHandedOver = false;
  isEnding = false;

  visitsInFlight = 0;
  consecutiveErrors: number;
  consecutiveRefusals = 0;
  consecutiveThrottles = 0;
  successCount: number;
  robotsDeniedCount = 0;
  /** Known pages that were still there: without one of them, a missing page may be a broken site. */
  confirmedCount = 0;
  readonly lastFailures = new Map<FailureClass, Failure>();
  /** Visits to which the server said anything at all. */
  answerCount = 0;
  /** Visits that ended at a login instead of a page: all of this session, and since the last page. */
  loginWallCount = 0;
  consecutiveLoginWalls = 0;
  lastLoginWall: string | undefined;
  /** Pages of this run from before this session. */
  readonly #pagesBefore: number;
  readonly #metLogins = new Set<string>();

  constructor(parts: {
    lease: Lease;
    gate: DomainGate;
    robots: RobotsBook;
    templates: TemplateLedger;
    budget: PageBudget;
    userAgent: string;
    isRefreshing?: boolean;
    isExplored?: boolean;
    parserName?: string;
    imagesMode?: ImagesMode;
    hasPages?: boolean;
    hasTasks?: boolean;
    consecutiveErrors: number;
    /** Pages this run already had from here: a domain that gave some is not unreachable for failing at the rest. */
    successCount: number;
  }) {
    this.lease = parts.lease;
    this.gate = parts.gate;
    this.robots = parts.robots;
    this.templates = parts.templates;
    this.budget = parts.budget;
    this.userAgent = parts.userAgent;
    this.isRefreshing = parts.isRefreshing ?? false;
    this.isExplored = parts.isExplored ?? true;
    this.parserName = parts.parserName ?? NO_PARSER;
    this.imagesMode = parts.imagesMode ?? 'off';
    this.readsSitemaps = this.isExplored && (parts.hasPages ?? true);
    this.hasTasks = parts.hasTasks ?? false;
    this.consecutiveErrors = parts.consecutiveErrors;
    this.successCount = parts.successCount;
    this.#pagesBefore = parts.successCount;
  }

  get facts(): Omit<SessionFacts, 'isDry'> {
    const { earlyEnd, successCount, robotsDeniedCount, answerCount, lastFailures } = this;
    const { loginWallCount, lastLoginWall } = this;
    const walls = { loginWallCount, lastLoginWall, pagesBefore: this.#pagesBefore };
    return { earlyEnd, successCount, robotsDeniedCount, answerCount, lastFailures, ...walls };
  }

  /** True from the second time on that this origin of the domain is met. */
  hasMet(origin: string): boolean {
    if (this.#metOrigins.has(origin) || this.#metOrigins.size >= MAX_ORIGINS) return true;
    this.#metOrigins.add(origin);
    return false;
  }

  /** True from the second time on that a redirect leads to this login: the first one stands for them all. */
  hasMetLogin(endpoint: string): boolean {
    if (this.#metLogins.has(endpoint) || this.#metLogins.size >= MAX_LOGINS) return true;
    this.#metLogins.add(endpoint);
    return false;
  }

  /** How long the domain has asked to be left alone, from now. */
  restMs(nowMs: number): number {
    return Math.max(0, this.gate.heldUntilMs() - nowMs);
  }

  get queuedCount(): number {
    return this.#window.length - this.#next;
  }

  /** Uncommitted URLs of this session: as long as there are any, "nothing due" proves nothing. */
  get heldCount(): number {
    return this.#held.size;
  }

  /** Time to ask the frontier for more, before the window runs dry. */
  get isLow(): boolean {
    return this.queuedCount <= this.#windowSize / 4;
  }

  /** Nothing of the frontier while orders are on their way to us. */
  peek(): DueUrl | undefined {
    return this.#tasks[0] ?? (this.isTakingTasks ? undefined : this.#window[this.#next]);
  }

  take(): DueUrl | undefined {
    if (this.#tasks.length > 0) return this.#tasks.shift();
    const due = this.#window[this.#next];
    if (due === undefined) return undefined;
    this.#next += 1;
    return due;
  }

  /** It could not be started after all, or is due again at once: it goes first. */
  putBack(due: DueUrl): void {
    if (due.task !== undefined) {
      this.#held.add(due.id);
      this.#tasks.unshift(due);
      return;
    }
    this.#window = [due, ...this.#window.slice(this.#next)];
    this.#next = 0;
  }

  /** How many tasks to take at a time: what the gate lets through in the next moments. */
  get taskLot(): number {
    const { delayMs } = this.gate;
    if (delayMs <= 0) return MOST_TASKS;
    return Math.min(MOST_TASKS, Math.ceil(TASKS_AHEAD_MS / delayMs) + 1);
  }

  /** While the domain is given back nothing is taken any more: it would be left in hands that are gone. */
  get wantsTasks(): boolean {
    return this.hasTasks && !this.isEnding && !this.isTakingTasks && this.#tasks.length <= this.taskLot / 2;
  }

  /** Tasks taken and not started. */
  get tasksInHand(): readonly DueUrl[] {
    return this.#tasks;
  }

  /** Of the URLs held, those that are in flight or in a batch: an order for one of them waits until it is written. */
  hashesUnderWay(): Buffer[] {
    const queued = new Set(this.#window.slice(this.#next).map(({ id }) => id));
    for (const { id } of this.#tasks) queued.add(id);
    return [...this.#held].filter((id) => !queued.has(id)).map((id) => Buffer.from(id, 'latin1'));
  }

  /** Orders that were taken; one for a URL that was waiting in the window takes its place. */
  addTasks(tasks: readonly DueUrl[]): void {
    if (tasks.length === 0) return;
    const ids = new Set(tasks.map(({ id }) => id));
    // One that was taken from us and has come again is the same order.
    this.#tasks = this.#tasks.filter(({ id }) => !ids.has(id));
    this.#window = this.#window.slice(this.#next).filter(({ id }) => !ids.has(id));
    this.#next = 0;
    for (const id of ids) this.#held.add(id);
    this.#tasks.push(...tasks);
  }

  /** Of those in hand only these are still ours; tells how many are not. */
  keepTasks(isOurs: (taskId: number) => boolean): number {
    const gone = this.#tasks.filter(({ task }) => task === undefined || !isOurs(task.id));
    for (const { id } of gone) this.#held.delete(id);
    this.#tasks = this.#tasks.filter((due) => !gone.includes(due));
    return gone.length;
  }

  /** Those in hand were dealt with: what is written about them lets go of their URLs. */
  forgetTasks(): void {
    this.#tasks = [];
  }

  /** A refill begins; returns how many rows to ask for: enough for a full window without what we hold. */
  beginRefill(): number {
    this.isRefilling = true;
    this.#committedMeanwhile = undefined;
    return this.#windowSize + this.#held.size;
  }

  /** Takes up what a refill brought, leaving out what is held already or was done meanwhile. */
  refill(due: readonly DueUrl[]): void {
    const done = this.#committedMeanwhile;
    const fresh = due
      .filter((url) => !this.#held.has(url.id) && done?.has(url.id) !== true)
      .slice(0, this.#windowSize);
    for (const url of fresh) this.#held.add(url.id);
    this.#window = [...this.#window.slice(this.#next), ...fresh];
    this.#next = 0;
    // A window that had to be refilled while work was waiting was too small for this domain's pace.
    if (fresh.length > 0) this.#windowSize = Math.min(LARGEST_WINDOW, this.#windowSize * 2);
    else if (done === undefined) this.isDry = true;
  }

  /** From now on nothing but images: what was read of its frontier is left there. */
  leavePages(): void {
    if (this.isImagesOnly) return;
    this.isImagesOnly = true;
    this.dropQueued();
    this.isDry = false;
  }

  /** These are no longer ours to remember: they are still due, and the frontier has them. */
  release(ids: Iterable<string>): void {
    for (const id of ids) this.#held.delete(id);
  }

  /** A commit about this domain: the frontier knows what became of these, and may have more due than before. */
  noteCommitted(ids: Iterable<string>, hasMoreDue = true): void {
    if (hasMoreDue) this.isDry = false;
    if (this.isRefilling) this.#committedMeanwhile ??= new Set();
    for (const id of ids) {
      this.#held.delete(id);
      this.#committedMeanwhile?.add(id);
    }
  }

  /** Each is read once: indexes list each other, and a thousand that do would never end. */
  addSitemaps(tasks: readonly SitemapTask[]): void {
    for (const task of tasks) {
      if (this.#knownSitemaps.size >= MAX_SITEMAPS || this.#knownSitemaps.has(task.url)) continue;
      this.#knownSitemaps.add(task.url);
      this.sitemaps.push(task);
    }
  }

  /** Lets go of what was read but not started (budget spent, draining): it is simply still due. */
  dropQueued(): void {
    for (let i = this.#next; i < this.#window.length; i += 1) {
      const due = this.#window[i];
      if (due !== undefined) this.#held.delete(due.id);
    }
    for (const { id } of this.#tasks) this.#held.delete(id);
    this.#tasks = [];
    this.#window = [];
    this.#next = 0;
  }
}

export interface SitemapTask {
  readonly url: string;
  readonly nesting: number;
}
