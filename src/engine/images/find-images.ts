/**
 * From the images of a page, and of the product on it, to candidates for the frontier and the places where they were
 * seen. An image may lie anywhere: what patterns exclude is not asked for, but neither scope, nor depth, nor the budget
 * of a URL's shape speak against it, since nothing is ever found in an image that would lead further.
 */
import type { Extraction } from '../extract/product-fields.ts';
import { canonicalDomain } from '../frontier/canonical-domain.ts';
import type { FoundLinks, LinkContext } from '../frontier/find-links.ts';
import { imageKey } from '../frontier/image-key.ts';
import { hashUrlKey, normalizeUrl } from '../frontier/normalize-url.ts';
import { resolveLink } from '../frontier/resolve-link.ts';
import type { ParsedPage } from '../parse/parsed-page.ts';
import type { Candidate, ImagesMode } from '../visit.ts';
import { ImageHosts, MOST_HOSTS_OF_PAGE } from './image-hosts.ts';
import type { PageImage } from './image-reading.ts';

/** Images of pages that were read go before pages that were not. */
const IMAGE_PRIORITY = 3;
/** The longest URL that is asked for; a longer one is hardly an address. */
const MAX_URL_CHARS = 4096;

export interface ImageHunt {
  readonly mode: ImagesMode;
  /** At most so many of a page. */
  readonly limit: number;
  readonly depth: number;
  readonly links: LinkContext;
  /** Candidates go there. */
  readonly found: FoundLinks;
}

export function findImages(
  page: Pick<ParsedPage, 'images' | 'baseUrl'>,
  product: Extraction | undefined,
  hunt: ImageHunt,
): PageImage[] {
  const { mode, limit, links } = hunt;
  if (mode === 'off') return [];
  const entries = new Map<string, PageImage>();
  const hosts = new ImageHosts(MOST_HOSTS_OF_PAGE, links.imageHosts);
  const ofProduct = isProduct(product) ? (product.fields.images?.value ?? []) : [];
  for (const [position, { url, alt }] of ofProduct.entries()) {
    if (entries.size >= limit) break;
    note(entries, hosts, url, hunt, { position, alt, kind: position === 0 ? 'primary' : 'gallery' });
  }
  if (mode !== 'all' || page.images === undefined) return [...entries.values()];
  const { found, inlineCount, pixelCount } = page.images;
  if (inlineCount > 0) links.tally('skip:image-data', inlineCount);
  if (pixelCount > 0) links.tally('skip:image-pixel', pixelCount);
  for (const [position, { url, alt }] of found.entries()) {
    const absolute = resolveLink(url, page.baseUrl);
    if (absolute === undefined) continue;
    if (entries.size < limit) note(entries, hosts, absolute, hunt, { position, alt, kind: 'page' });
    else links.tally('skip:image-limit');
  }
  return [...entries.values()];
}

function isProduct(product: Extraction | undefined): product is Extraction {
  return product?.verdict === 'valid' || product?.verdict === 'partial';
}

function note(
  entries: Map<string, PageImage>,
  hosts: ImageHosts,
  absolute: string,
  { depth, links, found }: ImageHunt,
  place: Pick<PageImage, 'position' | 'alt' | 'kind'>,
): void {
  const candidate = toCandidate(absolute, depth, links);
  if (candidate === undefined) return;
  const { hash, url, domain } = candidate;
  const id = hash.toString('latin1');
  const known = entries.get(id);
  // A product's image that the page shows as well: there it may have words.
  if (known !== undefined) {
    if (known.alt === undefined && place.alt !== undefined) entries.set(id, { ...known, alt: place.alt });
    return;
  }
  if (domain !== links.domain && !hosts.admits(domain)) {
    links.tally('skip:image-hosts');
    return;
  }
  entries.set(id, { hash, url, domain, ...place });
  admitImage(candidate, links, found);
}

interface ImageCandidate extends Candidate {
  readonly domain: string;
}

/** Undefined: something speaks against it. */
function toCandidate(absolute: string, depth: number, links: LinkContext): ImageCandidate | undefined {
  const normal = normalizeUrl(absolute, { stripTrailingSlash: links.stripTrailingSlash });
  if (normal.kind === 'bad' || normal.url.length > MAX_URL_CHARS) {
    links.tally('skip:bad-url');
    return undefined;
  }
  const domain = canonicalDomain(normal.url);
  if (domain === undefined) return undefined;
  if (links.scope.excludes(normal.url)) {
    links.tally('skip:exclude');
    return undefined;
  }
  return {
    ...{ hash: hashUrlKey(normal.key), url: normal.url, domain, depth, priority: IMAGE_PRIORITY },
    ...{ isSeed: false, redirectCount: 0, template: undefined, isImage: true },
  };
}

function admitImage(candidate: ImageCandidate, { seen, domain }: LinkContext, found: FoundLinks): void {
  const { domain: itsDomain, ...image } = candidate;
  const key = imageKey(image.hash);
  if (seen.hasKey(key)) return;
  seen.addKey(key);
  if (itsDomain === domain) found.own.push(image);
  else {
    const others = found.foreign.get(itsDomain);
    if (others === undefined) found.foreign.set(itsDomain, [image]);
    else others.push(image);
  }
}

/** Where an image has moved to is one more image; undefined: nowhere that could be asked for. */
export function followImage(
  location: string,
  from: { readonly hash: Buffer; readonly depth: number; readonly redirectCount: number },
  links: LinkContext,
  found: FoundLinks,
): PageImageTarget | undefined {
  const candidate = toCandidate(location, from.depth, links);
  if (candidate === undefined || candidate.hash.equals(from.hash)) return undefined;
  if (candidate.domain !== links.domain && links.imageHosts?.admits(candidate.domain) === false) {
    links.tally('skip:image-hosts');
    return undefined;
  }
  admitImage({ ...candidate, redirectCount: from.redirectCount + 1 }, links, found);
  return { hash: candidate.hash, url: candidate.url, domain: candidate.domain };
}

export type PageImageTarget = Pick<PageImage, 'hash' | 'url' | 'domain'>;
