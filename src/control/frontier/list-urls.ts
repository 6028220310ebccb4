/** Known URLs in pages. Which statement reads them depends on the state: each goes by an index of its own. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const listDue = load('list-due-urls');
const listWaiting = load('list-waiting-urls');
const listTroubled = load('list-troubled-urls');
const listByKey = load('list-urls');

export type UrlState = 'due' | 'waiting' | 'fetched' | 'failed' | 'blocked';

export interface UrlFilter {
  readonly domainId: number | undefined;
  readonly state: UrlState | 'all';
  readonly priority: number | undefined;
  readonly depth: number | undefined;
}

export interface UrlLine {
  readonly domainId: number;
  readonly hash: Buffer;
  readonly url: string;
  /** Null: its domain is being removed. */
  readonly domain: string | null;
  readonly state: UrlState;
  readonly priority: number;
  readonly depth: number;
  readonly isSeed: boolean;
  readonly isImage: boolean;
  readonly discoveredAt: Date;
  /** The same in microseconds, as the order needs it. */
  readonly foundAt: number;
  readonly lastCrawledAt: Date | null;
  readonly nextCrawlAt: Date | null;
  readonly retryAt: Date | null;
  readonly triedAt: number | null;
  readonly httpStatus: number | null;
  readonly errorCount: number;
  readonly lastOutcome: string | null;
}

/** The last line of the page before. */
export type UrlPlace = Pick<UrlLine, 'domainId' | 'hash' | 'priority' | 'depth' | 'foundAt' | 'triedAt'>;

const BEFORE_ALL: UrlPlace = {
  ...{ domainId: 0, hash: Buffer.alloc(0), priority: 3, depth: 0 },
  ...{ foundAt: 0, triedAt: 0 },
};

export async function listUrls(
  db: Database,
  filter: UrlFilter,
  after: UrlPlace | undefined,
  limit: number,
): Promise<UrlLine[]> {
  const [statement, values] = statementFor(filter, after ?? BEFORE_ALL, limit);
  return (await db.query<UrlLine>(statement, values)).rows;
}

function statementFor(filter: UrlFilter, after: UrlPlace, limit: number): [string, unknown[]] {
  const { state } = filter;
  const domain = filter.domainId ?? null;
  const rest = [filter.priority ?? null, filter.depth ?? null, limit];
  switch (state) {
    case 'due': {
      const place = [after.domainId, after.priority, after.depth, after.foundAt, after.hash];
      return [listDue, [domain, ...place, ...rest]];
    }
    case 'waiting':
      return [listWaiting, [domain, after.domainId, after.triedAt, after.hash, ...rest]];
    case 'failed':
    case 'blocked':
      return [listTroubled, [domain, after.domainId, after.hash, state, ...rest]];
    case 'fetched':
    case 'all':
      return [listByKey, [domain, after.domainId, after.hash, state === 'all' ? null : state, ...rest]];
  }
}
