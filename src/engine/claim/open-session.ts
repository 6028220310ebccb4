/** From a claimed row to a session ready to work: gate, robots rules and template account as last known. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { CrawlSettings } from '../crawl-settings.ts';
import { DomainSession, type SitemapTask } from '../domain-session.ts';
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
  readonly session: DomainSession;
  /** Milliseconds since anybody last spoke to the domain. */
  readonly idleMs: number;
  /** robots.txt as last read, fresh or not. */
  readonly knownRobots: readonly RobotsReading[];
}

export async function openSession(
  db: Database,
  claimed: ClaimedDomain,
  settings: CrawlSettings,
  maxPagesPerDomain: number | undefined,
): Promise<OpenedSession> {
  const [knownRobots, templates, sitemaps] = await Promise.all([
    loadRobotsReadings(db, claimed.id),
    db.query<{ template: string; admitted_count: number }>(loadTemplates, [claimed.id]),
    db.query<SitemapTask>(loadSitemaps, [claimed.id]),
  ]);
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
    templates: new TemplateLedger(templates.rows.map((row) => [row.template, row.admitted_count] as const)),
    budget: new PageBudget(maxPagesPerDomain, claimed.run_pages_count),
    userAgent,
    consecutiveErrors: claimed.consecutive_error_count,
    successCount: claimed.run_pages_count,
  });
  if (settings.readSitemaps) session.addSitemaps(sitemaps.rows);
  return { session, knownRobots, idleMs: claimed.idle_ms ?? Number.POSITIVE_INFINITY };
}
