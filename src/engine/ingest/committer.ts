/**
 * Gathers visits into batches and commits them one after another: a batch goes out when it is full or
 * when its first entry has waited long enough, and the next one fills meanwhile.
 */
import { monotonicMs } from '../../platform/clock.ts';
import type { FoundLinks } from '../frontier/find-links.ts';
import type { ExitUse } from '../proxies/fetch-through.ts';
import type { Lease, Visit } from '../visit.ts';
import { Batch, type SitemapReading } from './batch.ts';
import { type CommitContext, type CommitResult, commitBatch } from './commit-batch.ts';

/** Found URLs weigh too: a sitemap brings thousands without a visit, a page links to thousands of domains. */
const MAX_CANDIDATES = 5000;
/** In multiples of the batch size asked for. */
const LARGEST_BATCH = 6;

export interface CommitterSettings extends Omit<CommitContext, 'activeMs'> {
  readonly batchPages: number;
  readonly batchMs: number;
}

export interface CommitterHooks {
  readonly onCommitted: (batch: Batch, result: CommitResult) => void;
  /** The batch was not written, or nobody knows: whatever it held is to be forgotten. */
  readonly onFailed: (batch: Batch, error: unknown) => void;
}

export class Committer {
  readonly #settings: CommitterSettings;
  readonly #hooks: CommitterHooks;
  #batch = new Batch();
  /** On its way to the database. */
  #sent: Batch | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #clockMs = monotonicMs();

  constructor(settings: CommitterSettings, hooks: CommitterHooks) {
    this.#settings = settings;
    this.#hooks = hooks;
  }

  /**
   * The batch being filled has grown far past what a commit takes: fetching should wait. Up to there a slow
   * commit only makes the next batch larger, and larger batches cost less a page.
   */
  get isFull(): boolean {
    return (
      this.#batch.visits.length >= this.#settings.batchPages * LARGEST_BATCH ||
      this.#batch.candidateCount >= MAX_CANDIDATES * 2
    );
  }

  /** Something found under this lease has not been written yet. */
  holds(lease: Lease): boolean {
    return this.#batch.leases.has(lease) || this.#sent?.leases.has(lease) === true;
  }

  addVisit(visit: Visit, found: FoundLinks, consecutiveErrors: number): void {
    this.#batch.addVisit(visit, found);
    this.#batch.consecutiveErrors.set(visit.lease.domainId, consecutiveErrors);
    this.#schedule();
  }

  /** The domain asked for rest: whoever claims it next must know, also if we are gone by then. */
  addRest(lease: Lease, until: Date): void {
    this.#batch.restingUntil.set(lease.domainId, until);
  }

  addFound(lease: Lease, found: FoundLinks, consecutiveErrors: number): void {
    this.#batch.addFound(lease, found);
    this.#batch.consecutiveErrors.set(lease.domainId, consecutiveErrors);
    this.#schedule();
  }

  addSitemap(reading: SitemapReading, consecutiveErrors: number): void {
    this.#batch.addSitemap(reading);
    this.#batch.consecutiveErrors.set(reading.lease.domainId, consecutiveErrors);
    this.#schedule();
  }

  addProxyUse(lease: Lease, use: ExitUse, consecutiveErrors: number): void {
    this.#batch.addProxyUse(lease, use);
    this.#batch.consecutiveErrors.set(lease.domainId, consecutiveErrors);
    this.#schedule();
  }

  /** Something about this proxy is still to be written. */
  holdsUseOf(proxyId: number): boolean {
    return this.#batch.proxyUses.proxies.has(proxyId) || this.#sent?.proxyUses.proxies.has(proxyId) === true;
  }

  tally(name: string, count = 1): void {
    this.#batch.tally(name, count);
  }

  /**
   * Everything added before this call is committed, or has been given up, when it resolves. What others add
   * meanwhile is not waited for: under load there is always more.
   */
  async flush(): Promise<void> {
    await this.#running;
    this.#commit();
    await this.#running;
  }

  #schedule(): void {
    const isDue =
      this.#batch.visits.length >= this.#settings.batchPages || this.#batch.candidateCount >= MAX_CANDIDATES;
    if (isDue) this.#commit();
    else this.#timer ??= setTimeout(() => this.#commit(), this.#settings.batchMs);
  }

  #commit(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#running !== undefined || this.#batch.isEmpty) return;
    const batch = this.#batch;
    this.#batch = new Batch();
    this.#sent = batch;
    const startedMs = monotonicMs();
    const activeMs = startedMs - this.#clockMs;
    this.#clockMs = startedMs;
    this.#running = commitBatch(batch, { ...this.#settings, activeMs })
      .finally(() => {
        this.#sent = undefined;
      })
      .then(
        (result) => this.#hooks.onCommitted(batch, result),
        (error: unknown) => this.#hooks.onFailed(batch, error),
      )
      .finally(() => {
        this.#running = undefined;
        if (!this.#batch.isEmpty) this.#schedule();
      });
  }
}
