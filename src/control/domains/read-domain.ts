/** All there is to know about one domain. */
import { templateBudget } from '../../engine/frontier/url-template.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findDomain } from './find-domain.ts';
import type { DomainStatus } from './list-domains.ts';
import { type DomainEvent, readDomainEvents } from './read-domain-events.ts';
import { type DomainScore, readDomainScore } from './read-domain-score.ts';

const readRow = loadSql(import.meta.url, './read-domain.sql');
const readRobots = loadSql(import.meta.url, './read-domain-robots.sql');
const readSitemaps = loadSql(import.meta.url, './read-domain-sitemaps.sql');
const readTemplates = loadSql(import.meta.url, './read-domain-templates.sql');
const readRuns = loadSql(import.meta.url, './read-domain-runs.sql');
const countUrls = loadSql(import.meta.url, './count-domain-urls.sql');
const readNextRefresh = loadSql(import.meta.url, './read-next-refresh.sql');
const readLog = loadSql(import.meta.url, './read-domain-log.sql');

export interface MaintenanceWindow {
  readonly start: string;
  readonly end: string;
  readonly timezone: string;
}

export interface DomainDetails {
  readonly id: number;
  readonly domain: string;
  readonly parentDomain: string;
  readonly baseUrl: string;
  readonly status: DomainStatus;
  /** Why it is in its state: a code of the table of moves. */
  readonly statusCode: string;
  readonly reasonCode: string | null;
  readonly reason: string | null;
  readonly blockedSince: Date | null;
  readonly automaticRetries: number;
  /** Set only while it lies ahead. */
  readonly notBefore: Date | null;
  /** The same, also when it has passed and nobody has woken the domain yet. */
  readonly nextCrawlAfter: Date | null;
  readonly isActive: boolean;
  readonly claimedBy: string | null;
  readonly claimExpiresAt: Date | null;
  readonly isClaimed: boolean;
  readonly version: number;
  /** The run in whose queue it is; 0 is the standing order. */
  readonly queueRun: number;
  /** When it last had its turn; null: whoever has had one comes after it. */
  readonly yieldedAt: Date | null;
  readonly isRefreshing: boolean;
  readonly parserName: string;
  /** Images of its pages that are fetched; null: as the program is set. */
  readonly images: 'off' | 'products' | 'all' | null;
  /** That it is searched in; null: what its pages declare. */
  readonly language: string | null;
  readonly crawlDelayMs: number | null;
  readonly maxConcurrentRequests: number | null;
  readonly maxPagesPerRun: number | null;
  readonly crawlFrequency: string;
  readonly crawlFrequencyHours: number;
  readonly userAgent: string | null;
  readonly scope: 'host' | 'domain' | 'any' | null;
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[] | null;
  readonly maxDepth: number | null;
  /** False: it is there for its tasks only. */
  readonly isExplored: boolean;
  /** Every day between these times it is left alone. */
  readonly maintenance: MaintenanceWindow | null;
  readonly proxyMode: 'auto' | 'direct' | 'required';
  readonly proxyCountry: string | null;
  readonly proxyRotation: 'request' | 'sticky';
  /** Through any one proxy; null: as many as the proxy allows. */
  readonly proxyRequestsPerHour: number | null;
  readonly pagesCrawled: number;
  readonly pagesDiscovered: number;
  readonly imagesFound: number;
  readonly imagesStored: number;
  readonly productsFound: number;
  readonly depthReached: number;
  readonly errors: number;
  readonly consecutiveErrors: number;
  readonly priorityScore: number;
  readonly source: string | null;
  readonly firstSeenAt: Date;
  readonly lastCrawledAt: Date | null;
}

export interface RobotsSummary {
  readonly origin: string;
  readonly access: string;
  readonly httpStatus: number | null;
  readonly note: string | null;
  readonly crawlDelaySeconds: number | null;
  readonly bytes: number | null;
  readonly fetchedAt: Date;
  readonly expiresAt: Date;
  readonly isFresh: boolean;
}

export interface SitemapSummary {
  readonly url: string;
  readonly state: string;
  readonly urls: number;
  readonly note: string | null;
  readonly readAt: Date | null;
}

export interface DomainRun {
  readonly run: number;
  readonly status: string;
  readonly endReason: string | null;
  readonly pages: number;
  readonly fetches: number;
  readonly errors: number;
  readonly bytes: number;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

export interface LogLine {
  readonly fetchedAt: Date;
  readonly url: string;
  readonly outcome: string;
  readonly httpStatus: number | null;
  readonly attempt: number;
  readonly durationMs: number;
  /** Null: it was asked for directly. */
  readonly proxyId: number | null;
  readonly message: string | null;
}

export interface TemplateUse {
  readonly template: string;
  readonly admitted: number;
  readonly budget: number;
}

export interface RefreshDates {
  /** When the first known page is to be read again. */
  readonly firstPageDueAt: Date | null;
  /** How many are to be read again already; counted up to ten thousand. */
  readonly pagesDue: number;
}

export interface DomainReport extends DomainDetails, RefreshDates {
  /** When it is looked at again as a whole; null unless it is exhausted. */
  readonly nextRefreshAt: Date | null;
  readonly score: DomainScore;
  /** Changes of state, the newest first, at most a hundred. */
  readonly events: readonly DomainEvent[];
  readonly urls: Readonly<Record<string, number>>;
  /** Of those never crawled, how many wait for another attempt. */
  readonly waitingForRetry: number;
  readonly robots: readonly RobotsSummary[];
  readonly sitemaps: readonly SitemapSummary[];
  /** URL shapes that have used up their budget: the site looked endless there. */
  readonly fullTemplates: readonly TemplateUse[];
  readonly runs: readonly DomainRun[];
  readonly log: readonly LogLine[];
}

const MAX_EVENTS = 100;

export async function readDomainRow(db: Database, id: number): Promise<DomainDetails> {
  const { rows } = await db.query<DomainDetails>(readRow, [id]);
  const [row] = rows;
  if (row === undefined) throw new Error(`domain ${id} has just been deleted`);
  return row;
}

export async function readDomain(db: Database, name: string): Promise<DomainReport> {
  const { id } = await findDomain(db, name);
  const row = await readDomainRow(db, id);
  const [score, events, refresh, robots, sitemaps, templates, runs, urls, log] = await Promise.all([
    readDomainScore(db, id),
    readDomainEvents(db, id, MAX_EVENTS),
    db.query<RefreshDates>(readNextRefresh, [id]),
    db.query<RobotsSummary>(readRobots, [id]),
    db.query<SitemapSummary>(readSitemaps, [id]),
    db.query<Omit<TemplateUse, 'budget'>>(readTemplates, [id]),
    db.query<DomainRun>(readRuns, [id]),
    db.query<{ state: string; count: number; waiting: number }>(countUrls, [id]),
    db.query<LogLine>(readLog, [id, row.lastCrawledAt]),
  ]);
  return {
    ...row,
    ...(refresh.rows[0] ?? { firstPageDueAt: null, pagesDue: 0 }),
    nextRefreshAt: row.status === 'exhausted' ? row.nextCrawlAfter : null,
    score,
    events,
    urls: Object.fromEntries(urls.rows.map(({ state, count }) => [state, count])),
    waitingForRetry: urls.rows.reduce((sum, { waiting }) => sum + waiting, 0),
    robots: robots.rows,
    sitemaps: sitemaps.rows,
    fullTemplates: templates.rows
      .map((use) => ({ ...use, budget: templateBudget(use.template) }))
      .filter(({ admitted, budget }) => admitted >= budget),
    runs: runs.rows,
    log: log.rows,
  };
}
