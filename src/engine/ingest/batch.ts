/** What is to be written down together: visits, the URLs they found, and what was passed over. */
import type { FoundLinks } from '../frontier/find-links.ts';
import type { ExitUse } from '../proxies/fetch-through.ts';
import type { Candidate, Lease, Visit } from '../visit.ts';
import { ProxyUses } from './proxy-uses.ts';

export interface OwnCandidate {
  readonly lease: Lease;
  readonly candidate: Candidate;
}

/** A sitemap read to its end: done only once its URLs are committed with it. */
export interface SitemapReading {
  readonly lease: Lease;
  readonly url: string;
  readonly state: 'done' | 'failed';
  readonly urlsCount: number;
  readonly note: string | undefined;
  readonly children: ReadonlyArray<{ readonly url: string; readonly nesting: number }>;
}

export class Batch {
  /** Every lease this batch writes under: two for a domain that was lost and claimed again meanwhile. */
  readonly leases = new Set<Lease>();
  readonly visits: Visit[] = [];
  readonly own: OwnCandidate[] = [];
  readonly foreign = new Map<string, Candidate[]>();
  readonly sitemaps: SitemapReading[] = [];
  readonly tallies = new Map<string, number>();
  /** Consecutive errors of each domain as they stand after this batch. */
  readonly consecutiveErrors = new Map<number, number>();
  /** Domains that asked for rest, and until when: it must hold for whoever comes next, too. */
  readonly restingUntil = new Map<number, Date>();
  /** What came through proxies, and what did not. */
  readonly proxyUses = new ProxyUses();
  #foreignCount = 0;
  #namedCount = 0;

  /** URLs found, in our own domains and in others, and pages that are to become tasks. */
  get candidateCount(): number {
    return this.own.length + this.#foreignCount + this.#namedCount;
  }

  get isEmpty(): boolean {
    const found = this.own.length + this.foreign.size + this.sitemaps.length;
    return this.visits.length + found === 0 && this.proxyUses.isEmpty;
  }

  addVisit(visit: Visit, found: FoundLinks): void {
    this.leases.add(visit.lease);
    this.visits.push(visit);
    this.#namedCount += visit.named?.length ?? 0;
    this.addFound(visit.lease, found);
  }

  addFound(lease: Lease, found: FoundLinks): void {
    if (found.own.length > 0 || found.foreign.size > 0) this.leases.add(lease);
    for (const candidate of found.own) this.own.push({ lease, candidate });
    for (const [domain, candidates] of found.foreign) {
      this.#foreignCount += candidates.length;
      const known = this.foreign.get(domain);
      if (known === undefined) this.foreign.set(domain, candidates);
      else for (const candidate of candidates) known.push(candidate);
    }
  }

  addProxyUse(lease: Lease, use: ExitUse): void {
    this.leases.add(lease);
    this.proxyUses.add(lease, use);
  }

  addSitemap(reading: SitemapReading): void {
    this.leases.add(reading.lease);
    this.sitemaps.push(reading);
  }

  tally(name: string, count = 1): void {
    this.tallies.set(name, (this.tallies.get(name) ?? 0) + count);
  }

  /** Ids of the visited URLs, by the lease under which they were visited. */
  visitedByLease(): Map<Lease, string[]> {
    const visited = new Map<Lease, string[]>();
    for (const { lease, due } of this.visits) {
      const ids = visited.get(lease);
      if (ids === undefined) visited.set(lease, [due.id]);
      else ids.push(due.id);
    }
    return visited;
  }
}
