/** Lists of domains, as rows for tables and machines. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';

const list = loadSql(import.meta.url, './list-domains.sql');
const count = loadSql(import.meta.url, './count-domains.sql');
const top = loadSql(import.meta.url, './top-domains.sql');

export type DomainStatus = 'pending' | 'active' | 'exhausted' | 'blocked' | 'unreachable';

export interface DomainRow {
  readonly domain: string;
  readonly status: DomainStatus;
  /** False: it is paused, whatever its status. */
  readonly isActive: boolean;
  readonly pagesCrawled: number;
  readonly pagesDiscovered: number;
  readonly imagesFound: number;
  readonly errors: number;
  readonly lastCrawledAt: Date | null;
  readonly reasonCode: string | null;
  readonly reason: string | null;
  /** Nothing is fetched from it before this. */
  readonly notBefore: Date | null;
  readonly claimedBy: string | null;
  /** How it became known: seed, link, image (it is there for the images of others alone) … */
  readonly source: string | null;
}

export async function listDomains(
  db: Database,
  status: DomainStatus | undefined,
  limit: number,
): Promise<DomainRow[]> {
  return (await db.query<DomainRow>(list, [status ?? null, limit])).rows;
}

export async function countDomains(db: Database): Promise<Map<DomainStatus, number>> {
  const { rows } = await db.query<{ status: DomainStatus; count: number }>(count);
  return new Map(rows.map((row) => [row.status, row.count]));
}

/** What the list of the first domains may be ordered by. */
export type TopOrder = 'score' | 'yield' | 'products' | 'pages' | 'images' | 'errors';

export interface TopDomain {
  readonly domain: string;
  readonly status: DomainStatus;
  /** As it is now, not as it was last stored. */
  readonly score: number;
  readonly pagesCrawled: number;
  readonly pagesDiscovered: number;
  readonly pagesRemaining: number;
  readonly imagesFound: number;
  readonly imagesStored: number;
  readonly productsFound: number;
  // Each for a page read; null as long as none was.
  readonly imageYield: number | null;
  readonly productYield: number | null;
  readonly imagesPerPage: number | null;
  readonly urlsPerPage: number | null;
  readonly errorRate: number | null;
  readonly depth: number;
  readonly lastCrawledAt: Date | null;
}

export async function topDomains(db: Database, by: TopOrder, limit: number): Promise<TopDomain[]> {
  return (await db.query<TopDomain>(top, [by, limit])).rows;
}
