/** robots.txt of a domain as it was last read, and what it says about a URL. Nothing is fetched. */
import { canonicalDomain } from '../../engine/frontier/canonical-domain.ts';
import { normalizeUrl } from '../../engine/frontier/normalize-url.ts';
import { productToken } from '../../engine/politeness/product-token.ts';
import type { RobotsAccess } from '../../engine/politeness/robots-access.ts';
import { type RobotsReading, readEntry } from '../../engine/politeness/robots-book.ts';
import { escapeUrlForRobots } from '../../engine/politeness/robots-path.ts';
import { now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { judgeRobots, type RobotsOpinion } from '../explain/judge-robots.ts';
import { findDomain } from './find-domain.ts';
import { readDomainRow } from './read-domain.ts';

const readCached = loadSql(import.meta.url, './read-cached-robots.sql');

/** Each may be half a megabyte, and is parsed. */
const MOST_ORIGINS = 16;
const MOST_SHOWN_BYTES = 64 * 1024;
const MOST_SITEMAPS = 100;

interface CachedRobots {
  readonly origin: string;
  readonly access: RobotsAccess;
  readonly httpStatus: number | null;
  readonly body: Buffer | null;
  readonly note: string | null;
  readonly fetchedAt: Date;
  readonly expiresAt: Date;
  readonly isFresh: boolean;
}

export interface RobotsOfOrigin extends Omit<CachedRobots, 'body'> {
  readonly crawlDelaySeconds: number | null;
  readonly sitemaps: readonly string[];
  readonly bytes: number | null;
  readonly body: string | null;
  readonly isBodyCut: boolean;
}

export interface RobotsView {
  readonly domain: string;
  readonly origins: readonly RobotsOfOrigin[];
  readonly verdict: (RobotsOpinion & { readonly url: string }) | null;
}

export interface RobotsQuestion {
  readonly url?: string | undefined;
  readonly agent?: string | undefined;
}

export async function readRobotsView(
  db: Database,
  name: string,
  { url, agent }: RobotsQuestion,
  ourAgent: string,
): Promise<RobotsView> {
  const { id, domain } = await findDomain(db, name);
  const asked = url === undefined ? undefined : readUrlOf(domain, url);
  const { userAgent } = await readDomainRow(db, id);
  const by = agent ?? userAgent ?? ourAgent;
  const { rows } = await db.query<CachedRobots>(readCached, [id, MOST_ORIGINS, null]);
  return {
    domain,
    origins: rows.map((row) => showOrigin(row, by)),
    verdict: asked === undefined ? null : await judge(db, id, asked, by),
  };
}

function readUrlOf(domain: string, text: string): string {
  const normal = normalizeUrl(text.trim());
  if (normal.kind === 'bad') throw new ForagerError('bad-url', `That is no URL: ${normal.reason}.`);
  if (canonicalDomain(normal.url) === domain) return normal.url;
  throw new ForagerError('bad-url', `That URL does not belong to ${domain}.`, {
    hint: 'ask the domain that it belongs to',
  });
}

async function judge(db: Database, id: number, url: string, agent: string) {
  const { rows } = await db.query<CachedRobots>(readCached, [id, 1, new URL(url).origin]);
  return { ...judgeRobots(escapeUrlForRobots(url), rows.map(toReading), agent, now()), url };
}

function toReading({ body, httpStatus, note, ...row }: CachedRobots): RobotsReading {
  return { ...row, body: body ?? undefined, httpStatus: httpStatus ?? undefined, note: note ?? undefined };
}

function showOrigin(row: CachedRobots, agent: string): RobotsOfOrigin {
  const { body, ...rest } = row;
  const entry = readEntry(toReading(row), productToken(agent));
  return {
    ...rest,
    crawlDelaySeconds: entry.crawlDelaySeconds ?? null,
    sitemaps: entry.sitemaps.slice(0, MOST_SITEMAPS),
    bytes: body?.length ?? null,
    body: body === null ? null : body.subarray(0, MOST_SHOWN_BYTES).toString('utf8'),
    isBodyCut: body !== null && body.length > MOST_SHOWN_BYTES,
  };
}
