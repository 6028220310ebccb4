/** Domains in pages: filtered, in one of several orders, each page beginning where the last one ended. */
import { canonicalDomain, registrableDomain } from '../../engine/frontier/canonical-domain.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { DomainStatus } from './list-domains.ts';

const byNameUp = loadSql(import.meta.url, './page-domains-by-name.sql');
const byNameDown = byNameUp
  .replace('d.domain > $8', 'd.domain < $8')
  .replace('order by d.domain asc', 'order by d.domain desc');
const byFigure = loadSql(import.meta.url, './page-domains-by-figure.sql');

export interface DomainFilter {
  readonly status?: DomainStatus | undefined;
  readonly search?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly isClaimed?: boolean | undefined;
  readonly parentDomain?: string | undefined;
  readonly minErrors?: number | undefined;
  readonly minPages?: number | undefined;
}

export interface DomainLine {
  readonly id: number;
  readonly domain: string;
  readonly parentDomain: string;
  readonly status: DomainStatus;
  readonly statusCode: string;
  readonly reasonCode: string | null;
  readonly reason: string | null;
  readonly isActive: boolean;
  readonly isRefreshing: boolean;
  readonly priorityScore: number;
  readonly seedRank: number | null;
  readonly pagesDiscovered: number;
  readonly pagesCrawled: number;
  readonly pagesRemaining: number;
  readonly depthReached: number;
  readonly errors: number;
  readonly consecutiveErrors: number;
  readonly errorRate: number | null;
  readonly imageYield: number | null;
  readonly productYield: number | null;
  readonly claimedBy: string | null;
  readonly claimExpiresAt: Date | null;
  readonly notBefore: Date | null;
  readonly nextCrawlAt: Date | null;
  readonly queueRun: number;
  readonly source: string | null;
  readonly firstSeenAt: Date;
  readonly lastCrawledAt: Date | null;
}

export function pageDomainsByName(
  db: Database,
  filter: DomainFilter,
  order: 'asc' | 'desc',
  after: string | undefined,
  limit: number,
): Promise<DomainLine[]> {
  return read(db, order === 'asc' ? byNameUp : byNameDown, [...conditions(filter), after ?? null, limit]);
}

export type DomainFigure =
  | 'priority'
  | 'pagesCrawled'
  | 'pagesDiscovered'
  | 'errors'
  | 'lastCrawled'
  | 'nextCrawl';

/** Where a page by figure ended; the figure is text, since it may be larger than a number can be exact. */
export interface FigurePlace {
  readonly figure: string;
  readonly id: number;
}

export async function pageDomainsByFigure(
  db: Database,
  filter: DomainFilter,
  figure: DomainFigure,
  order: 'asc' | 'desc',
  after: FigurePlace | undefined,
  limit: number,
): Promise<(DomainLine & { readonly figure: string })[]> {
  return read(db, byFigure, [
    ...conditions(filter),
    ...[figure, limit, order === 'desc', after?.figure ?? null, after?.id ?? null],
  ]);
}

async function read<R extends object>(
  db: Database,
  statement: string,
  values: readonly unknown[],
): Promise<R[]> {
  return (await db.query<R>(statement, values)).rows;
}

function conditions(filter: DomainFilter): unknown[] {
  const { status, search, isActive, isClaimed, parentDomain, minErrors, minPages } = filter;
  return [
    ...[status ?? null, search?.trim().toLowerCase() ?? null, isActive ?? null, isClaimed ?? null],
    ...[parentDomain === undefined ? null : readParent(parentDomain), minErrors ?? null, minPages ?? null],
  ];
}

function readParent(name: string): string {
  const domain = canonicalDomain(name.trim());
  if (domain !== undefined) return registrableDomain(domain);
  throw new ForagerError('bad-domain', `"${name.slice(0, 200)}" is not the name of a domain.`, {
    hint: 'give one such as example.com',
  });
}
