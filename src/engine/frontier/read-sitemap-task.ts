/**
 * Reads one sitemap through the domain's gate and hands its URLs to the frontier in portions. It is marked
 * as read together with its last portion, so that a crash in between only means reading it again.
 */
import type { DomainSession, SitemapTask } from '../domain-session.ts';
import type { FetchPage } from '../fetch/fetch-result.ts';
import type { SitemapReading } from '../ingest/batch.ts';
import { canonicalDomain, registrableDomain } from './canonical-domain.ts';
import { considerUrl, type FoundLinks, type LinkContext } from './find-links.ts';
import { readSitemap, SITEMAP_MAX_BYTES, SITEMAP_MAX_URLS } from './sitemap.ts';

const MAX_REDIRECTS = 5;
const MAX_NESTING = 3;
const MAX_CHILDREN = 1000;
const TIMEOUT_MS = 60_000;
/** A sitemap says what matters: its URLs count as one click from the front page. */
const LISTED_DEPTH = 1;

export interface SitemapContext {
  readonly session: DomainSession;
  readonly fetch: FetchPage;
  readonly links: LinkContext;
  readonly deliver: (found: FoundLinks) => Promise<void>;
}

/** Undefined when no answer came: the sitemap is still due, for another session. */
export async function readSitemapTask(
  task: SitemapTask,
  context: SitemapContext,
): Promise<SitemapReading | undefined> {
  const { session } = context;
  const result = await fetchFollowing(task.url, context);
  const ended = (state: 'done' | 'failed', note: string, urlsCount = 0): SitemapReading => ({
    lease: session.lease,
    url: task.url,
    state,
    urlsCount,
    note,
    children: [],
  });
  if (result.kind === 'no-answer') return undefined;
  if (result.kind === 'refused') return ended('failed', result.reason);

  const children: { url: string; nesting: number }[] = [];
  let urlsCount = 0;
  const entries = readSitemap(inChunks(result.body), {
    url: result.url,
    maxBytes: SITEMAP_MAX_BYTES,
    maxUrls: SITEMAP_MAX_URLS,
  });
  for (;;) {
    const portion = await entries.next();
    if (portion.done) {
      const { kind } = portion.value;
      const isEmpty = kind === 'not-a-sitemap' || (kind === 'bad-gzip' && urlsCount === 0);
      return {
        ...ended(isEmpty ? 'failed' : 'done', kind === 'complete' ? '' : kind, urlsCount),
        children,
      };
    }
    const found: FoundLinks = { own: [], foreign: new Map() };
    for (const entry of portion.value) {
      if (entry.kind === 'url') {
        urlsCount += 1;
        considerUrl(entry.loc, LISTED_DEPTH, context.links, found, { isListed: true });
      } else if (
        task.nesting < MAX_NESTING &&
        children.length < MAX_CHILDREN &&
        isSameSite(entry.loc, task.url)
      ) {
        children.push({ url: entry.loc, nesting: task.nesting + 1 });
      }
    }
    await context.deliver(found);
  }
}

/** An index speaks for its own site; what it lists elsewhere is not ours to fetch under this lease. */
function isSameSite(url: string, other: string): boolean {
  const [domain, otherDomain] = [canonicalDomain(url), canonicalDomain(other)];
  if (domain === undefined || otherDomain === undefined) return false;
  return registrableDomain(domain) === registrableDomain(otherDomain);
}

type SitemapAnswer =
  | { readonly kind: 'body'; readonly url: string; readonly body: Buffer }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'no-answer' };

async function fetchFollowing(start: string, context: SitemapContext): Promise<SitemapAnswer> {
  let url = start;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const result = await context.fetch({
      url,
      userAgent: context.session.userAgent,
      accept: 'any',
      // One more than the reader takes, so that it can tell a file that was cut from one that ended.
      maxBodyBytes: SITEMAP_MAX_BYTES + 1,
      onOversize: 'truncate',
      timeoutMs: TIMEOUT_MS,
    });
    if (result.kind === 'failure' || result.status === 429 || result.status >= 500)
      return { kind: 'no-answer' };
    if (result.kind === 'response' && result.status >= 200 && result.status < 300) {
      return { kind: 'body', url, body: result.body };
    }
    if (result.kind !== 'redirect') return { kind: 'refused', reason: `answered ${result.status}` };
    if (!isSameSite(result.location, start)) return { kind: 'refused', reason: 'redirects to another site' };
    url = result.location;
  }
  return { kind: 'refused', reason: 'too many redirects' };
}

async function* inChunks(body: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536);
}
