/** What the parser sees in a page. */

import type { Article } from '../../engine/article/article.ts';
import { extractArticle } from '../../engine/article/extract-article.ts';
import { extractPage, type PageParser } from '../../engine/extract/extract-page.ts';
import type { Extraction } from '../../engine/extract/product-fields.ts';
import { headerValue, headerValues, type RawHeaders } from '../../engine/fetch/fetch-result.ts';
import { resolveLink } from '../../engine/frontier/resolve-link.ts';
import { decodeHtml, toUtf8Html } from '../../engine/parse/decode-body.ts';
import { parseHtml, visibleText } from '../../engine/parse/scan-html.ts';
import { productToken } from '../../engine/politeness/product-token.ts';
import { type RobotsDirectives, readRobotsDirectives } from '../../engine/politeness/robots-directives.ts';
import { now } from '../../platform/clock.ts';

export interface InspectInput {
  readonly body: Buffer;
  /** What links are resolved against. */
  readonly url: string;
  readonly headers: RawHeaders;
  readonly userAgent: string;
  readonly maxLinks: number;
  /** What looks for a product; undefined: nobody does. */
  readonly parser?: PageParser | undefined;
}

export interface InspectedLink {
  readonly kind: string;
  readonly href: string;
  /** Null for what leads to no other page (`#top`, `mailto:`). */
  readonly url: string | null;
  readonly nofollow: boolean;
}

export interface Inspection {
  readonly bytes: number;
  readonly charset: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly canonicalUrl: string | null;
  readonly language: string | null;
  readonly baseUrl: string;
  readonly refreshUrl: string | null;
  readonly robots: RobotsDirectives & {
    readonly metas: readonly { readonly name: string; readonly content: string }[];
    readonly headers: readonly string[];
  };
  /** Link elements before the cap and before removing duplicates. */
  readonly linksSeen: number;
  readonly linkCounts: Readonly<Record<string, number>>;
  readonly links: readonly InspectedLink[];
  readonly images: number;
  readonly textLength: number;
  readonly contentHash: string;
  readonly simhash: string;
  /** All the text a visitor sees. */
  readonly visibleText: string;
  readonly article: Article;
  /** The product on the page, as far as the parser finds one; null: nobody looked. */
  readonly extraction: Extraction | null;
}

export function inspectPage(input: InspectInput): Inspection {
  const { text: html, encoding } = decodeHtml(input.body, headerValue(input.headers, 'content-type'));
  const page = parseHtml({
    html,
    url: input.url,
    contentLanguage: headerValue(input.headers, 'content-language'),
    maxLinks: input.maxLinks,
  });
  const xRobotsTags = headerValues(input.headers, 'x-robots-tag');
  const directives = readRobotsDirectives({
    metas: page.robotsMetas,
    headerValues: xRobotsTags,
    productToken: productToken(input.userAgent),
    now: now(),
  });
  const links = page.links.map((link) => ({
    kind: link.kind,
    href: link.href,
    url: resolveLink(link.href, page.baseUrl) ?? null,
    nofollow: link.isNofollow,
  }));
  return {
    bytes: input.body.length,
    charset: encoding,
    title: page.title ?? null,
    description: page.description ?? null,
    canonicalUrl: page.canonicalUrl ?? null,
    language: page.language ?? null,
    baseUrl: page.baseUrl,
    refreshUrl: page.refreshUrl ?? null,
    robots: { ...directives, metas: page.robotsMetas, headers: xRobotsTags },
    linksSeen: page.linksSeen,
    linkCounts: countKinds(links),
    links,
    images: page.imageCount,
    textLength: page.textLength,
    contentHash: page.contentHash.toString('hex'),
    simhash: BigInt.asUintN(64, page.simhash).toString(16).padStart(16, '0'),
    visibleText: visibleText(html),
    article: extractArticle(html, input.url),
    extraction: lookForProduct(input, page.baseUrl, page.language),
  };
}

function lookForProduct(
  { parser, body, url, headers }: InspectInput,
  baseUrl: string,
  language: string | undefined,
): Extraction | null {
  if (parser === undefined) return null;
  const { html } = toUtf8Html(body, headerValue(headers, 'content-type'));
  return extractPage(parser, { html, url, baseUrl, language });
}

function countKinds(links: readonly InspectedLink[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of links) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
