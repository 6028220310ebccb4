/** Everything that bears on whether a URL will be fetched, gathered from the rules and from the database. */

import { registrableDomain } from '../../engine/frontier/canonical-domain.ts';
import { trapReason } from '../../engine/frontier/path-traps.ts';
import { templateBudget, urlTemplate } from '../../engine/frontier/url-template.ts';
import { loadRobotsReadings } from '../../engine/politeness/robots-records.ts';
import { now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findKnownDomain } from '../domains/find-domain.ts';
import { type DomainDetails, readDomainRow } from '../domains/read-domain.ts';
import { listReadings } from '../pages/list-readings.ts';
import { judgeRobots, type RobotsOpinion } from './judge-robots.ts';

const findUrl = loadSql(import.meta.url, './find-url.sql');
const readUrlLog = loadSql(import.meta.url, './read-url-log.sql');
const readTemplateUse = loadSql(import.meta.url, './read-template-use.sql');
const unfinishedRuns = loadSql(import.meta.url, './unfinished-runs.sql');

export interface KnownUrl {
  readonly url: string;
  readonly state: 'never_crawled' | 'fetched' | 'failed' | 'blocked';
  readonly depth: number;
  readonly priority: number;
  readonly seed: boolean;
  /** It is asked for as an image: no page is made of it. */
  readonly image: boolean;
  readonly status: number | null;
  readonly outcome: string | null;
  readonly errors: number;
  readonly discoveredAt: Date;
  readonly lastCrawledAt: Date | null;
  readonly retryAt: Date | null;
  readonly nextCrawlAt: Date | null;
  readonly isWaiting: boolean;
  readonly ahead: number;
}

export interface UrlFetch {
  readonly fetchedAt: Date;
  readonly outcome: string;
  readonly httpStatus: number | null;
  readonly attempt: number;
  readonly durationMs: number;
  readonly bytes: number;
  readonly run: number | null;
  /** Null: it was asked for directly. */
  readonly proxyId: number | null;
  readonly message: string | null;
}

export interface UrlFacts {
  readonly url: string;
  readonly key: string;
  readonly hash: string;
  readonly domain: string;
  readonly parentDomain: string;
  /** Why it looks like a trap, if it does: such links are not taken up. */
  readonly trap: string | null;
  readonly template: {
    readonly shape: string;
    readonly admitted: number;
    /** Null: unlimited. */
    readonly budget: number | null;
  };
  readonly robots: RobotsOpinion;
  readonly respectRobots: boolean;
  /** Null when nothing of the domain is known. */
  readonly domainState: DomainDetails | null;
  readonly unfinishedRuns: readonly { readonly run: number; readonly status: string }[];
  /** Null when no crawl has met it. */
  readonly known: KnownUrl | null;
  readonly log: readonly UrlFetch[];
}

export async function gatherUrlFacts(
  db: Database,
  text: string,
  settings: { readonly userAgent: string; readonly respectRobots: boolean },
): Promise<UrlFacts> {
  const reading = await chooseReading(db, text);
  const { url, key, domain, domainId, hash, known } = reading;
  const domainState = domainId === undefined ? null : await readDomainRow(db, domainId);
  const shape = urlTemplate(key);
  const budget = templateBudget(shape);
  const use =
    domainId === undefined
      ? undefined
      : await db.query<{ admitted: number }>(readTemplateUse, [domainId, shape]);
  const robots =
    domainId === undefined ? [] : ((await loadRobotsReadings(db, [domainId])).get(domainId) ?? []);
  return {
    ...{ url, key, domain, domainState, known },
    hash: hash.toString('hex'),
    parentDomain: registrableDomain(domain),
    trap: trapReason(url) ?? null,
    template: {
      shape,
      admitted: use?.rows[0]?.admitted ?? 0,
      budget: Number.isFinite(budget) ? budget : null,
    },
    robots: judgeRobots(url, robots, domainState?.userAgent ?? settings.userAgent, now()),
    respectRobots: settings.respectRobots,
    unfinishedRuns:
      domainId === undefined
        ? []
        : (await db.query<UrlFacts['unfinishedRuns'][number]>(unfinishedRuns, [domainId])).rows,
    log: domainId === undefined ? [] : (await db.query<UrlFetch>(readUrlLog, [domainId, hash])).rows,
  };
}

/** Of all that the text may stand for, what a crawl has met; else the plainest reading. */
async function chooseReading(db: Database, text: string) {
  const readings = [];
  for (const reading of listReadings(text.trim())) {
    const domainId = (await findKnownDomain(db, reading.domain))?.id;
    const found =
      domainId === undefined ? undefined : await db.query<KnownUrl>(findUrl, [domainId, reading.hash]);
    const known = found?.rows[0] ?? null;
    if (known !== null) return { ...reading, domainId, known };
    readings.push({ ...reading, domainId, known });
  }
  const [first] = readings;
  if (first === undefined) throw new Error(`no reading of ${text}`);
  return first;
}
