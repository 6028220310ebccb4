import { decodeHTML } from 'entities';
import { tagId } from './html-names.ts';
import { asksNofollow, isRobotsDirectives, readLanguage, readRefreshUrl, readTokens } from './meta-values.ts';
import { PageImages } from './page-images.ts';
import type { ParsedPage, RawLink } from './parsed-page.ts';
import { attributeIds, type TagReader } from './tag-reader.ts';

/** Longest URL worth keeping; RFC 9110 asks everyone to support 8000 octets. */
const MAX_URL_BYTES = 8192;
const MAX_TITLE_LENGTH = 1000;
const MAX_TITLE_BYTES = 16_384;
const MAX_DESCRIPTION_LENGTH = 2000;
const MAX_DESCRIPTION_BYTES = 32_768;
const MAX_ROBOTS_METAS = 32;
const MAX_DIRECTIVES_BYTES = 1000;
const MAX_REL_BYTES = 1000;

const A = tagId('a');
const AREA = tagId('area');
const BASE = tagId('base');
const LINK = tagId('link');
const META = tagId('meta');
const HTML = tagId('html');
const FRAME = tagId('frame');
const IFRAME = tagId('iframe');
const INPUT = tagId('input');
const SOURCE = tagId('source');

/** The most common names that are no crawler's, to spare looking at what they say. */
const otherNames = new Set(
  'viewport keywords author generator theme-color referrer format-detection google-site-verification'.split(
    ' ',
  ),
);

type MutableLink = { -readonly [Key in keyof RawLink]: RawLink[Key] };
type Facts = Pick<
  ParsedPage,
  | 'title'
  | 'description'
  | 'canonicalUrl'
  | 'language'
  | 'robotsMetas'
  | 'baseUrl'
  | 'links'
  | 'linksSeen'
  | 'refreshUrl'
  | 'imageCount'
  | 'images'
  | 'hasPasswordInput'
>;

/** Where in the page a tag stands, as far as facts care. */
export interface TagPlace {
  /** Inside <template>: links there are worth following, but nothing there speaks for the page. */
  readonly isInTemplate: boolean;
  /** Inside <noscript>, where images repeat those a script would load. */
  readonly isInNoscript: boolean;
}

/** Gathers, tag by tag, what a page says about itself and where it points. */
export class PageFacts {
  private readonly links: MutableLink[] = [];
  private readonly linkByHref = new Map<string, MutableLink>();
  private linksSeen = 0;
  private imageCount = 0;
  private hasPasswordInput = false;
  private hasTitle = false;
  private title: string | undefined;
  private baseHref: string | undefined;
  private canonicalHref: string | undefined;
  private refreshUrl: string | undefined;
  private description: string | undefined;
  private ogDescription: string | undefined;
  private htmlLanguage: string | undefined;
  private metaLanguage: string | undefined;
  private readonly robotsMetas: Array<{ name: string; content: string }> = [];
  private readonly maxLinks: number;
  private readonly images: PageImages | undefined;

  constructor(maxLinks: number, collectImages = false) {
    this.maxLinks = maxLinks;
    this.images = collectImages ? new PageImages() : undefined;
  }

  readTag(reader: TagReader, place: TagPlace): void {
    const tag = reader.tag;
    if (tag === A) this.readHyperlink(reader, 'anchor');
    else if (tag === LINK) this.readLink(reader, place);
    else if (tag === META) {
      if (!place.isInTemplate) this.readMeta(reader);
    } else if (tag === AREA) this.readHyperlink(reader, 'area');
    else if (tag === FRAME || tag === IFRAME) this.addLink(reader, attributeIds.src, 'frame', false);
    else if (tag === HTML) {
      this.htmlLanguage ??= readLanguage(
        reader.trimmedValue(attributeIds.lang, 200) ?? reader.trimmedValue(attributeIds['xml:lang'], 200),
      );
    } else if (tag === BASE) {
      if (!place.isInTemplate) this.baseHref ??= reader.trimmedValue(attributeIds.href, MAX_URL_BYTES);
    } else if (tag === INPUT) this.readInput(reader, place);
    else if (tag === SOURCE) this.images?.readSource(reader);
    else this.readImage(reader, place);
  }

  /** The first title element is the page's, even if there is nothing in it. */
  readTitle(bytes: Buffer, start: number, stop: number, place: TagPlace): void {
    if (this.hasTitle || place.isInTemplate) return;
    this.hasTitle = true;
    const source = bytes.toString('utf8', start, Math.min(stop, start + MAX_TITLE_BYTES));
    const text = collapse(decodeHTML(source).replaceAll('\0', '\ufffd'));
    if (text !== '') this.title = truncate(text, MAX_TITLE_LENGTH);
  }

  /** A link in SVG names its target in XLink's attribute or in its own. */
  readSvgLink(reader: TagReader): void {
    const attribute = reader.has(attributeIds.href) ? attributeIds.href : attributeIds['xlink:href'];
    this.addLink(reader, attribute, 'anchor', false);
  }

  finish(pageUrl: string, contentLanguage: string | undefined): Facts {
    const baseUrl = resolveHttp(this.baseHref, pageUrl) ?? pageUrl;
    return {
      title: this.title,
      description: this.description ?? this.ogDescription,
      canonicalUrl: resolveHttp(this.canonicalHref, baseUrl),
      language: this.htmlLanguage ?? this.metaLanguage ?? readLanguage(contentLanguage),
      robotsMetas: this.robotsMetas,
      baseUrl,
      links: this.links,
      linksSeen: this.linksSeen,
      refreshUrl: this.refreshUrl,
      imageCount: this.imageCount,
      images: this.images,
      hasPasswordInput: this.hasPasswordInput,
    };
  }

  private readHyperlink(reader: TagReader, kind: 'anchor' | 'area'): void {
    if (!reader.has(attributeIds.href)) return;
    const rel = reader.trimmedValue(attributeIds.rel, MAX_REL_BYTES);
    this.addLink(reader, attributeIds.href, kind, rel !== undefined && asksNofollow(rel));
  }

  private readLink(reader: TagReader, place: TagPlace): void {
    const rel = reader.trimmedValue(attributeIds.rel, MAX_REL_BYTES);
    if (rel === undefined || !reader.has(attributeIds.href)) return;
    if (this.images !== undefined && /\bimage_src\b/i.test(rel)) this.images.readLink(reader);
    // Most are stylesheets and icons.
    if (!/canonical|alternate|next|prev/i.test(rel)) return;
    const tokens = readTokens(rel);
    const kind = linkKind(tokens, reader);
    if (kind === undefined) return;
    this.addLink(reader, attributeIds.href, kind, asksNofollow(rel));
    if (kind === 'canonical' && !place.isInTemplate) {
      this.canonicalHref ||= reader.trimmedValue(attributeIds.href, MAX_URL_BYTES);
    }
  }

  private readMeta(reader: TagReader): void {
    if (!reader.has(attributeIds.content)) return;
    const name = (reader.trimmedValue(attributeIds.name, 100) ?? '').toLowerCase();
    const property = (reader.trimmedValue(attributeIds.property, 100) ?? '').toLowerCase();
    this.images?.readMeta(reader, property === '' ? name : property);
    if (name === 'description') this.description ??= this.readDescription(reader);
    else if (name === 'og:description' || property === 'og:description') {
      if (this.description === undefined) this.ogDescription ??= this.readDescription(reader);
    } else if (name !== '' && !otherNames.has(name)) this.readRobots(reader, name);
    if (!reader.has(attributeIds['http-equiv'])) return;
    const pragma = (reader.trimmedValue(attributeIds['http-equiv'], 100) ?? '').toLowerCase();
    const content = reader.trimmedValue(attributeIds.content, MAX_URL_BYTES) ?? '';
    if (pragma === 'refresh') this.refreshUrl ??= readRefreshUrl(content);
    else if (pragma === 'content-language') this.metaLanguage ??= readLanguage(content);
  }

  private readDescription(reader: TagReader): string | undefined {
    const text = collapse(reader.trimmedValue(attributeIds.content, MAX_DESCRIPTION_BYTES) ?? '');
    return text === '' ? undefined : truncate(text, MAX_DESCRIPTION_LENGTH);
  }

  private readRobots(reader: TagReader, name: string): void {
    if (this.robotsMetas.length >= MAX_ROBOTS_METAS) return;
    const isRobots = name === 'robots';
    if (!isRobots && !/^[a-z0-9_.-]+$/.test(name)) return;
    const content = reader.trimmedValue(attributeIds.content, MAX_DIRECTIVES_BYTES);
    if (content === undefined) return;
    if (isRobots || isRobotsDirectives(content)) this.robotsMetas.push({ name, content });
  }

  private readInput(reader: TagReader, place: TagPlace): void {
    if (this.hasPasswordInput || place.isInTemplate) return;
    this.hasPasswordInput = reader.isKeyword(attributeIds.type, 'password');
  }

  private readImage(reader: TagReader, place: TagPlace): void {
    // Where scripts put images into place, those in <noscript> say which.
    if (!place.isInTemplate) this.images?.readImage(reader);
    if (place.isInNoscript || place.isInTemplate) return;
    const hasSource =
      reader.has(attributeIds.src) || reader.has(attributeIds.srcset) || reader.has(attributeIds['data-src']);
    if (hasSource) this.imageCount++;
  }

  private addLink(reader: TagReader, attribute: number, kind: RawLink['kind'], isNofollow: boolean): void {
    if (!reader.has(attribute)) return;
    this.linksSeen++;
    // Beyond the cap a link is counted, not read: a million of them cost a million look-ups of nothing.
    if (this.links.length >= this.maxLinks) return;
    const href = reader.trimmedValue(attribute, MAX_URL_BYTES);
    if (href === undefined || leadsNowhere(href)) return;
    const known = this.linkByHref.get(href);
    if (known === undefined) {
      const link = { href, kind, isNofollow };
      this.linkByHref.set(href, link);
      this.links.push(link);
    } else if (!isNofollow) {
      // One plain link is enough to follow it.
      known.isNofollow = false;
    }
  }
}

function linkKind(tokens: readonly string[], reader: TagReader): RawLink['kind'] | undefined {
  if (tokens.includes('canonical')) return 'canonical';
  if (tokens.includes('next')) return 'next';
  if (tokens.includes('prev') || tokens.includes('previous')) return 'prev';
  if (!tokens.includes('alternate') || tokens.includes('stylesheet')) return undefined;
  const type = (reader.trimmedValue(attributeIds.type, 200) ?? '').toLowerCase().split(';', 1)[0]?.trim();
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'alternate';
  return type === '' && reader.has(attributeIds.hreflang) ? 'alternate' : undefined;
}

/** Addresses that name no page to fetch. A scheme hidden by control characters is caught when resolved. */
function leadsNowhere(href: string): boolean {
  const first = href.charCodeAt(0) | 0x20;
  if (first !== 0x6a && first !== 0x6d && first !== 0x74 && first !== 0x64) return false;
  return /^(?:javascript|mailto|tel|data):/i.test(href);
}

function resolveHttp(href: string | undefined, base: string): string | undefined {
  if (href === undefined || href === '') return undefined;
  try {
    const url = new URL(href, base);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
  } catch {
    return undefined;
  }
}

function collapse(text: string): string {
  // Matches only what is not a single space already, which in most texts is nothing.
  return text.replace(/\s{2,}|[^\S ]/g, ' ').trim();
}

/** Cuts without halving a surrogate pair, into a string of its own. */
function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  const length = last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength;
  return Buffer.from(text.slice(0, length), 'utf8').toString('utf8');
}
