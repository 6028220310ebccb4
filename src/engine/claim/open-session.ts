/** From claimed rows to sessions ready to work: gate, robots rules and template account as last known. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { CrawlSettings } from '../crawl-settings.ts';
import { DomainSession } from '../domain-session.ts';
import { TemplateLedger } from '../frontier/template-ledger.ts';
import { PageBudget } from '../page-budget.ts';
import { DomainGate } from '../politeness/domain-gate.ts';
import { productToken } from '../politeness/product-token.ts';
import { RobotsBook, type RobotsReading } from '../politeness/robots-book.ts';
import { loadRobotsReadings } from '../politeness/robots-records.ts';
import type { ClaimedDomain } from './claim-domains.ts';

const loadTemplates = loadSql(import.meta.url, './load-templates.sql');
const loadSitemaps = loadSql(import.meta.url, './load-sitemaps.sql');

export interface OpenedSession {
  readonly claimed: ClaimedDomain;
  readonly session: DomainSession;
  /** Milliseconds since anybody last spoke to the domain. */
  readonly idleMs: number;
  /** robots.txt as last read, fresh or not. */
  readonly knownRobots: readonly RobotsReading[];
}

/** Three queries for any number of domains. */
export async function openSessions(
  db: Database,
  claimed: readonly ClaimedDomain[],
  settings: CrawlSettings,
): Promise<OpenedSession[]> {
  const ids = claimed.map((row) => row.id);
  const [robots, templates, sitemaps] = await Promise.all([
    loadRobotsReadings(db, ids),
    db.query<{ domain_id: number; template: string; admitted_count: number }>(loadTemplates, [ids]),
    db.query<{ domain_id: number; url: string; nesting: number }>(loadSitemaps, [ids]),
  ]);
  const templatesOf = groupByDomain(templates.rows);
  const sitemapsOf = groupByDomain(sitemaps.rows);
  return claimed.map((row) => {
    const session = openSession(row, templatesOf.get(row.id) ?? [], settings);
    if (settings.readSitemaps && session.readsSitemaps) session.addSitemaps(sitemapsOf.get(row.id) ?? []);
    const idleMs = row.idle_ms ?? Number.POSITIVE_INFINITY;
    return { claimed: row, session, idleMs, knownRobots: robots.get(row.id) ?? [] };
  });
}

function openSession(
  claimed: ClaimedDomain,
  templates: ReadonlyArray<{ readonly template: string; readonly admitted_count: number }>,
  settings: CrawlSettings,
): DomainSession {
  const userAgent = claimed.user_agent ?? settings.userAgent;
  const session = new DomainSession({
    lease: {
      domainId: claimed.id,
      domain: claimed.domain,
      parentDomain: claimed.parent_domain,
      version: claimed.version,
    },
    gate: new DomainGate({
      delayMs: claimed.crawl_delay_ms ?? settings.delayMs,
      maxConcurrent: claimed.max_concurrent_requests ?? settings.maxConcurrentPerDomain,
    }),
    robots: new RobotsBook(claimed.user_agent === null ? settings.productToken : productToken(userAgent)),
    templates: new TemplateLedger(templates.map((row) => [row.template, row.admitted_count] as const)),
    budget: new PageBudget(claimed.pages_allowed ?? undefined, claimed.run_pages_count),
    userAgent,
    isRefreshing: claimed.is_refreshing && settings.refresh.isOn,
    isExplored: claimed.is_explored,
    parserName: claimed.parser_name,
    imagesMode: settings.isImagesModeAsked
      ? settings.imagesMode
      : (claimed.images_mode ?? settings.imagesMode),
    hasPages: claimed.has_pages,
    hasTasks: claimed.has_tasks,
    consecutiveErrors: claimed.consecutive_error_count,
    // What it gave long ago does not speak for it when its pages are read again.
    successCount: claimed.is_refreshing ? 0 : claimed.run_pages_count,
  });
  session.consecutiveThrottles = claimed.consecutive_throttle_count;
  return session;
}

function groupByDomain<R extends { readonly domain_id: number }>(rows: readonly R[]): Map<number, R[]> {
  const groups = new Map<number, R[]>();
  for (const row of rows) {
    const group = groups.get(row.domain_id);
    if (group === undefined) groups.set(row.domain_id, [row]);
    else group.push(row);
  }
  return groups;
}
