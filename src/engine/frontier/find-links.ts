/**
 * From the links of a page to candidates for the frontier: resolved, not seen before, normalised, in
 * scope, no trap. Cheapest checks first, since this runs forty times a page.
 */
import type { ImageHosts } from '../images/image-hosts.ts';
import type { RawLink } from '../parse/parsed-page.ts';
import type { Candidate, ImagesMode } from '../visit.ts';
import { canonicalDomain } from './canonical-domain.ts';
import { imageKey } from './image-key.ts';
import { hashUrlKey, normalizeSerializedUrl, normalizeUrl } from './normalize-url.ts';
import { trapReason } from './path-traps.ts';
import { resolveLink } from './resolve-link.ts';
import type { Scope } from './scope.ts';
import type { SeenFilter } from './seen-filter.ts';
import type { TemplateLedger } from './template-ledger.ts';
import { urlPriority } from './url-priority.ts';

export interface LinkContext {
  readonly scope: Scope;
  readonly seen: SeenFilter;
  readonly templates: TemplateLedger;
  readonly stripTrailingSlash: boolean;
  /** The domain whose page is being read. */
  readonly domain: string;
  /** The scope is this domain's alone: what it refuses, another domain may want. */
  readonly hasOwnScope?: boolean;
  /** False: the domain is there for its tasks only, and nothing it links to is wanted. */
  readonly isExplored?: boolean;
  /** Counts what was passed over: skip:scope, skip:nofollow … */
  readonly tally: (name: string, count?: number) => void;
  /** Which images of its pages are wanted; undefined: none. */
  readonly imagesMode?: ImagesMode;
  /** The other hosts that images are taken from; undefined: any. */
  readonly imageHosts?: ImageHosts;
}

export interface FoundLinks {
  readonly own: Candidate[];
  /** Links into other domains that are in scope, by domain name. */
  readonly foreign: Map<string, Candidate[]>;
}

export function findLinks(
  links: readonly RawLink[],
  baseUrl: string,
  depth: number,
  context: LinkContext,
): FoundLinks {
  const found: FoundLinks = { own: [], foreign: new Map() };
  const bases = splitBase(baseUrl, context.hasOwnScope === true ? `${context.domain} ` : '');
  for (const link of links) {
    if (link.isNofollow) {
      context.tally('skip:nofollow');
      continue;
    }
    const base = baseOf(link.href, bases);
    if (base !== undefined && context.seen.hasRaw(base, link.href)) continue;
    const absolute = resolveLink(link.href, baseUrl);
    const isSettled = absolute === undefined || considerUrl(absolute, depth, context, found, RESOLVED);
    if (isSettled && base !== undefined) context.seen.addRaw(base, link.href);
  }
  return found;
}

/** What resolveLink returns has been through the URL parser already. */
const RESOLVED = { isSerialized: true };

/**
 * Adds a URL to what was found unless something speaks against it. True when the verdict holds for good;
 * false when the same link might be admitted from another page (it was only too deep from here).
 */
export function considerUrl(
  absolute: string,
  depth: number,
  context: LinkContext,
  found: FoundLinks,
  from: { isSeed?: boolean; redirectCount?: number; isListed?: boolean; isSerialized?: boolean } = {},
): boolean {
  const normalize = from.isSerialized ? normalizeSerializedUrl : normalizeUrl;
  const normal = normalize(absolute, { stripTrailingSlash: context.stripTrailingSlash });
  if (normal.kind === 'bad') {
    context.tally('skip:bad-url');
    return true;
  }
  const domain = canonicalDomain(normal.url);
  if (domain === undefined) return true;
  const verdict = context.scope.admits(normal.url, domain, depth);
  if (!verdict.admitted && !from.isSeed) {
    context.tally(`skip:${verdict.reason}`);
    return verdict.reason !== 'depth';
  }
  // What a sitemap lists or a redirect names was meant to be fetched; only links can be traps.
  const isLink = !from.isListed && !from.redirectCount && !from.isSeed;
  if (isLink && trapReason(normal.url) !== undefined) {
    context.tally('skip:trap');
    return true;
  }
  const hash = hashUrlKey(normal.key);
  if (context.seen.hasKey(hash)) return true;
  const isOwn = domain === context.domain;
  let template: string | undefined;
  if (isOwn && isLink) {
    const admission = context.templates.admit(normal.key);
    if (admission.kind === 'refused') {
      context.tally('skip:trap');
      return true;
    }
    template = admission.template;
  }
  // Only now: one that was refused here as a link may be listed in a sitemap.
  context.seen.addKey(hash);
  const candidate: Candidate = {
    hash,
    url: normal.url,
    depth,
    priority: urlPriority(normal.url, depth, from.isSeed ?? false),
    isSeed: from.isSeed ?? false,
    redirectCount: from.redirectCount ?? 0,
    template,
    ...(isShownAsImage(hash, normal.url, context) && { isShown: true }),
  };
  if (isOwn) {
    found.own.push(candidate);
    return true;
  }
  const others = found.foreign.get(domain);
  if (others === undefined) found.foreign.set(domain, [candidate]);
  else others.push(candidate);
  return true;
}

/** What is both shown and linked to is an image where it is called like one, and a page otherwise. */
function isShownAsImage(hash: Buffer, url: string, { imagesMode = 'off', seen }: LinkContext): boolean {
  return imagesMode !== 'off' && !IMAGE_FILE.test(url) && seen.hasKey(imageKey(hash));
}

const IMAGE_FILE = /\.(?:jpe?g|png|gif|webp|avif|bmp|tiff?|svg|ico)(?:[?#]|$)/i;

/** What links as written are remembered under: by whom the verdict was, then what gives them their meaning. */
interface Bases {
  readonly absolute: string;
  readonly origin: string;
  readonly directory: string;
}

/**
 * What gives a raw href its meaning, without parsing it: nothing when it is absolute, the origin when it
 * starts at the root, otherwise the directory of its page. Undefined where it is not worth remembering.
 */
function baseOf(href: string, bases: Bases): string | undefined {
  const first = href.charCodeAt(0);
  if (first === 0x2f /* / */) return href.charCodeAt(1) === 0x2f ? undefined : bases.origin;
  if (first === 0x23 /* # */ || first === 0x3f /* ? */) return undefined;
  if (href.startsWith('http://') || href.startsWith('https://')) return bases.absolute;
  return bases.directory;
}

function splitBase(baseUrl: string, owner: string): Bases {
  const pathStart = baseUrl.indexOf('/', baseUrl.indexOf('//') + 2);
  if (pathStart < 0) {
    return { absolute: owner, origin: owner + baseUrl, directory: `${owner}${baseUrl}/` };
  }
  const end = baseUrl.search(/[?#]/);
  const path = end < 0 ? baseUrl : baseUrl.slice(0, end);
  return {
    absolute: owner,
    origin: owner + baseUrl.slice(0, pathStart),
    directory: owner + path.slice(0, path.lastIndexOf('/') + 1),
  };
}
