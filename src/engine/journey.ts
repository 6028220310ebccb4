/**
 * The story of a page. Read this first.
 *
 *   frontier → claim → gate → fetch → parse → extract → ingest → store → frontier
 *
 * A worker (worker.ts) leases a domain, takes its due URLs from the frontier and lets each through the
 * domain's gate. What happens to one URL from there to its place in a batch is below, in order. Writing
 * the batch down is ingest/commit-batch.ts: the one transaction.
 */
import { now } from '../platform/clock.ts';
import type { CrawlSettings } from './crawl-settings.ts';
import type { DomainSession } from './domain-session.ts';
import { extractPage } from './extract/extract-page.ts';
import type { Extraction } from './extract/product-fields.ts';
import { type ParserRegistry, parserFor } from './extract/registry.ts';
import { type FetchPage, type FetchResult, headerValue, headerValues } from './fetch/fetch-result.ts';
import { canonicalDomain } from './frontier/canonical-domain.ts';
import { considerUrl, type FoundLinks, findLinks, type LinkContext } from './frontier/find-links.ts';
import { hashUrlKey, normalizeUrl } from './frontier/normalize-url.ts';
import { resolveLink } from './frontier/resolve-link.ts';
import type { BlobStore } from './images/blob-store.ts';
import { findImages } from './images/find-images.ts';
import { visitImage } from './images/visit-image.ts';
import { makeVisit } from './make-visit.ts';
import { judgeFetch, type Outcome } from './outcome.ts';
import { parseBody } from './parse/parse-body.ts';
import type { ParsedPage } from './parse/parsed-page.ts';
import {
  isLoginRedirect,
  isSameSite,
  type LoginSign,
  loginEndpoint,
  pageLoginSign,
} from './politeness/login-wall.ts';
import { readRobotsDirectives } from './politeness/robots-directives.ts';
import type { BodyStore } from './store/body-store.ts';
import { followTask } from './tasks/follow-task.ts';
import { type NamedPage, namedPages } from './tasks/named-pages.ts';
import type { DueUrl, PageRecord, Visit } from './visit.ts';

export interface JourneyContext {
  readonly settings: CrawlSettings;
  readonly fetch: FetchPage;
  readonly store: BodyStore | undefined;
  readonly links: LinkContext;
  /** Undefined: pages are not looked at for products. */
  readonly parsers?: ParserRegistry | undefined;
  /** Where images are kept; undefined: none are asked for. */
  readonly blobs?: BlobStore | undefined;
}

export type Arrival =
  | {
      readonly kind: 'visited';
      readonly visit: Visit;
      readonly found: FoundLinks;
      readonly result: FetchResult;
      /** Where the task of this visit goes on: a redirect has led there. */
      readonly next?: DueUrl | undefined;
    }
  /** The server moved us to another spelling of the same URL: the same URL is due again, written that way. */
  | { readonly kind: 'respelled'; readonly due: DueUrl; readonly result: FetchResult };

export async function visitUrl(
  session: DomainSession,
  due: DueUrl,
  context: JourneyContext,
): Promise<Arrival> {
  const { settings, blobs } = context;
  if (due.isImage === true && blobs !== undefined) return visitImage(session, due, { ...context, blobs });
  const fetchedAt = now();
  const result = await context.fetch({
    url: due.url,
    userAgent: session.userAgent,
    etag: due.etag,
    lastModified: due.lastModified,
    accept: 'page',
    maxBodyBytes: settings.maxBodyBytes,
    onOversize: 'fail',
    timeoutMs: settings.requestTimeoutMs,
    repeatDelayMs: session.gate.delayMs,
  });
  const found: FoundLinks = { own: [], foreign: new Map() };
  let outcome = judgeFetch(result, fetchedAt);
  let page: PageRecord | undefined;

  if (result.kind === 'redirect' && due.task !== undefined) {
    return followTask({ session, due, result, outcome, fetchedAt, settings });
  }
  if (isLeftToParser(due, outcome, context) && mayKeep(result, fetchedAt, settings)) {
    const keptBody = archive(due, result, fetchedAt, context.store);
    const visit = makeVisit(session, due, outcome, fetchedAt, result, undefined);
    return { kind: 'visited', visit: { ...visit, isLeftToParser: true, keptBody }, found, result };
  }
  let named: readonly NamedPage[] | undefined;
  if (result.kind === 'redirect') {
    const isLogin = isLoginRedirect(due.url, result.location);
    if (isLogin) outcome = { ...outcome, login: 'redirect', message: leadsToLogin(result.location) };
    const step = isLogin
      ? followToLogin(session, due, result.location, context, found)
      : followRedirect(due, result.location, context, found);
    if (step.kind === 'respelled') return { kind: 'respelled', due: step.due, result };
    if (step.kind === 'loop') outcome = { ...outcome, kind: 'redirect-loop', message: result.location };
  }
  if (result.kind === 'response' && outcome.kind === 'page') {
    const reading = readPage(due, result, fetchedAt, context, found, session.parserName);
    page = reading.page;
    // What robots.txt forbids would only fail.
    named = reading.named?.filter(({ url }) => !session.robots.isDenied(url, fetchedAt));
    const { login } = reading;
    if (login !== undefined) outcome = { ...outcome, login, message: LOGIN_MESSAGES[login] };
  }
  const visit = makeVisit(session, due, outcome, fetchedAt, result, page);
  const showsImages = (context.links.imagesMode ?? 'off') !== 'off';
  return { kind: 'visited', visit: { ...visit, named, showsImages }, found, result };
}

/** An order whose page is kept and read by somebody else. */
function isLeftToParser(due: DueUrl, outcome: Outcome, { settings, store }: JourneyContext): boolean {
  const isPage = outcome.kind === 'page';
  return isPage && due.task !== undefined && settings.isParsingLeft === true && store !== undefined;
}

/** What its headers forbid to keep cannot be left to anybody; what the page itself says, the parser finds out. */
function mayKeep(result: FetchResult, fetchedAt: Date, settings: CrawlSettings): boolean {
  if (result.kind !== 'response') return false;
  const { isNoarchive } = readRobotsDirectives({
    metas: [],
    headerValues: headerValues(result.headers, 'x-robots-tag'),
    productToken: settings.productToken,
    now: fetchedAt,
  });
  return !(settings.respectRobots && isNoarchive);
}

type RedirectStep =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'loop' }
  | { readonly kind: 'respelled'; readonly due: DueUrl };

/**
 * A redirect's target is one more URL for the frontier: it passes the same scope, robots, gate and
 * address checks as any link, and a page that many URLs redirect to is fetched once.
 */
function followRedirect(
  due: DueUrl,
  location: string,
  context: JourneyContext,
  found: FoundLinks,
): RedirectStep {
  const redirectCount = due.redirectCount + 1;
  if (redirectCount > context.settings.maxRedirects) return { kind: 'loop' };
  const { stripTrailingSlash } = context.settings;
  const target = normalizeUrl(location, { stripTrailingSlash });
  if (target.kind === 'bad') return { kind: 'loop' };
  if (hashUrlKey(target.key).equals(due.hash)) {
    if (target.url === due.url) return { kind: 'loop' };
    return { kind: 'respelled', due: { ...due, url: target.url, redirectCount } };
  }
  if (due.isSeed && context.links.hasOwnScope !== true) {
    // The person named this site; where it has moved to is what they meant. In the standing order the target is a
    // site of its own, and nothing else of this one may lead there.
    const domain = canonicalDomain(target.url);
    if (domain !== undefined) context.links.scope.addSeedDomain(domain);
  }
  considerUrl(target.url, due.depth, context.links, found, { isSeed: due.isSeed, redirectCount });
  return { kind: 'admitted' };
}

/**
 * Every page behind a login leads to it, each with its own way back (`/login?next=…`): one of them is enough.
 * A login that is somebody else's was not what the person meant by this site.
 */
function followToLogin(
  session: DomainSession,
  due: DueUrl,
  location: string,
  context: JourneyContext,
  found: FoundLinks,
): RedirectStep {
  if (session.hasMetLogin(loginEndpoint(location))) {
    context.links.tally('skip:login');
    return { kind: 'admitted' };
  }
  const isSeed = due.isSeed && isSameSite(due.url, location);
  return followRedirect({ ...due, isSeed }, location, context, found);
}

export const LOGIN_MESSAGES: Readonly<Partial<Record<LoginSign, string>>> = {
  form: 'a login form and little else',
  redirect: 'a page that leads to a login',
};

function leadsToLogin(location: string): string {
  return `leads to a login: ${location.slice(0, MAX_LOGIN_CHARS)}`;
}

export interface PageReading {
  readonly page: PageRecord;
  readonly login: LoginSign | undefined;
  /** Pages that become tasks, where that was asked for. */
  readonly named: readonly NamedPage[] | undefined;
}

/** What a page says, and where it leads. */
export function readPage(
  due: DueUrl,
  result: Extract<FetchResult, { kind: 'response' }>,
  fetchedAt: Date,
  context: Omit<JourneyContext, 'fetch'>,
  found: FoundLinks,
  parserName: string,
): PageReading {
  const { settings } = context;
  const contentType = headerValue(result.headers, 'content-type');
  const {
    page: parsed,
    charset,
    html,
  } = parseBody({
    body: result.body,
    contentType,
    contentLanguage: headerValue(result.headers, 'content-language'),
    url: due.url,
    maxLinks: settings.maxLinksPerPage,
    collectImages: context.links.imagesMode === 'all',
  });
  const directives = readRobotsDirectives({
    metas: parsed.robotsMetas,
    headerValues: headerValues(result.headers, 'x-robots-tag'),
    productToken: settings.productToken,
    now: fetchedAt,
  });
  const isNofollow = settings.respectRobots && directives.isNofollow;
  const extraction = lookForProduct(html, due.url, parsed, parserName, context.parsers);
  const { imagesMode = 'off' } = context.links;
  // Before its links: what a page both shows and links to is an image.
  const images =
    imagesMode === 'off' || isNofollow
      ? undefined
      : findImages(parsed, extraction, {
          ...{ mode: imagesMode, limit: settings.maxImagesPerPage, depth: due.depth },
          ...{ links: context.links, found },
        });
  if (isNofollow) {
    if (parsed.links.length > 0) context.links.tally('skip:nofollow-page');
  } else if (context.links.isExplored !== false) {
    const links = findLinks(parsed.links, parsed.baseUrl, due.depth + 1, context.links);
    found.own.push(...links.own);
    for (const [domain, candidates] of links.foreign) {
      found.foreign.set(domain, [...(found.foreign.get(domain) ?? []), ...candidates]);
    }
    if (parsed.refreshUrl !== undefined) {
      const target = resolveLink(parsed.refreshUrl, parsed.baseUrl);
      if (target !== undefined) considerUrl(target, due.depth + 1, context.links, found);
    }
  }
  const mayArchive = !(settings.respectRobots && directives.isNoarchive);
  if (!mayArchive) context.links.tally('skip:noarchive');
  const page: PageRecord = {
    contentType: contentType?.slice(0, MAX_TYPE_CHARS),
    charset,
    contentLength: result.body.length,
    transferLength: result.rawBody.length,
    contentHash: parsed.contentHash,
    simhash: parsed.simhash,
    title: parsed.title,
    description: parsed.description,
    canonicalUrl: parsed.canonicalUrl,
    language: parsed.language,
    textLength: parsed.textLength,
    linksCount: parsed.linksSeen,
    imagesCount: parsed.imageCount,
    isNoindex: directives.isNoindex,
    isNofollow: directives.isNofollow,
    extraction,
    images,
    body: mayArchive ? archive(due, result, fetchedAt, context.store) : undefined,
  };
  const { task } = due;
  const named =
    task === undefined || task.followDepth === 0 || isNofollow
      ? undefined
      : namedPages(parsed.links, parsed.baseUrl, {
          ...{ domain: context.links.domain, limit: task.followLimit },
          stripTrailingSlash: settings.stripTrailingSlash,
        });
  return { page, login: pageLoginSign(parsed, due.url), named };
}

function lookForProduct(
  html: Buffer,
  url: string,
  { baseUrl, language }: ParsedPage,
  parserName: string,
  parsers: ParserRegistry | undefined,
): Extraction | undefined {
  const parser = parsers === undefined ? undefined : parserFor(parsers, parserName);
  return parser && extractPage(parser, { html, url, baseUrl, language });
}

function archive(
  due: DueUrl,
  result: FetchResult,
  fetchedAt: Date,
  store: BodyStore | undefined,
): PageRecord['body'] {
  if (result.kind !== 'response') return undefined;
  const body = store?.append({
    url: due.url,
    fetchedAt,
    status: result.status,
    headers: result.headers,
    rawBody: result.rawBody,
    remoteAddress: result.remoteAddress,
  });
  // The commit awaits it and reports what went wrong; until then nobody is looking.
  body?.catch(() => undefined);
  return body;
}

const MAX_TYPE_CHARS = 255;
const MAX_LOGIN_CHARS = 300;
