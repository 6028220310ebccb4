import { isObject, type JsonObject, readJsonLd, stringOf, typesOf } from './json-ld.ts';
import { cleanTitle, preferHeadline } from './page-title.ts';
import { type PageElement, type PageTree, textOf } from './page-tree.ts';

/** What a page says about itself outside its text. Read before anything is stripped. */
export interface PageMetadata {
  readonly title: string;
  /** The `<title>` as it stands, the site's name included. */
  readonly documentTitle: string;
  readonly byline: string | undefined;
  readonly publishedAt: string | undefined;
  readonly siteName: string | undefined;
  readonly language: string | undefined;
  readonly excerpt: string | undefined;
  readonly baseUrl: string;
  readonly jsonLd: readonly JsonObject[];
  /** `<meta>` contents by lower-case name, property or itemprop; the first of each. */
  readonly metas: ReadonlyMap<string, string>;
}

const ARTICLE_TYPES =
  /^(?:(?:News|Blog|Social|Tech|Scholarly|Medical|Opinion|Analysis|Reportage|Satirical|Review|Background|AdvertiserContent|Report)?(?:News)?(?:Article|Posting)|BlogPosting|LiveBlogPosting|Report|Recipe|HowTo|Review|CreativeWork)$/;

export function readMetadata(tree: PageTree, url: string): PageMetadata {
  const metas = readMetas(tree);
  const jsonLd = readJsonLd(tree);
  const article = jsonLd.find((object) => typesOf(object).some((type) => ARTICLE_TYPES.test(type)));
  const siteName = metas.get('og:site_name') ?? metas.get('application-name') ?? publisherOf(jsonLd);
  return {
    title: titleOf(tree, metas, article, siteName),
    documentTitle: declaredTitleOf(tree),
    byline: bylineOf(tree, metas, article),
    publishedAt: publishedOf(tree, metas, article),
    siteName,
    language: languageOf(tree, metas),
    excerpt: metas.get('og:description') ?? metas.get('description') ?? metas.get('twitter:description'),
    baseUrl: baseOf(tree, url),
    jsonLd,
    metas,
  };
}

function readMetas(tree: PageTree): Map<string, string> {
  const metas = new Map<string, string>();
  for (const element of tree.elements) {
    if (element.name !== 'meta') continue;
    const { attributes } = element;
    const content = attributes.content?.replace(/\s+/g, ' ').trim();
    if (!content) continue;
    for (const key of ['name', 'property', 'itemprop', 'http-equiv']) {
      for (const name of attributes[key]?.toLowerCase().split(/\s+/) ?? []) {
        if (name !== '' && !metas.has(name)) metas.set(name, content);
      }
    }
  }
  return metas;
}

/** Signs that link to the heading itself, and what boards put before the subject. */
const HEADING_DECORATION = /^(?:thread|topic|subject)\s*:\s*|\s*[¶#§🔗\u200b]+$/giu;

function titleOf(
  tree: PageTree,
  metas: ReadonlyMap<string, string>,
  article: JsonObject | undefined,
  siteName: string | undefined,
): string {
  const headings: string[] = [];
  const firstHeadings: string[] = [];
  for (const element of tree.elements) {
    if (!/^h[1-3]$/.test(element.name)) continue;
    const text = textOf(element, 500).replace(HEADING_DECORATION, '');
    if (text === '') continue;
    if (element.name === 'h1') firstHeadings.push(text);
    headings.push(text);
    if (headings.length >= 40) break;
  }
  const declared = declaredTitleOf(tree);
  const candidates = [
    metas.get('og:title'),
    metas.get('twitter:title'),
    declared,
    stringOf(article?.headline),
  ];
  for (const candidate of candidates) {
    if (candidate) return preferHeadline(cleanTitle(candidate, headings, siteName), firstHeadings, siteName);
  }
  return headings[0] ?? '';
}

function declaredTitleOf(tree: PageTree): string {
  const element = tree.elements.find(
    (candidate) => candidate.name === 'title' && candidate.parent?.name !== 'svg',
  );
  return element === undefined ? '' : textOf(element, 2000);
}

function bylineOf(
  tree: PageTree,
  metas: ReadonlyMap<string, string>,
  article: JsonObject | undefined,
): string | undefined {
  const authors = namesOf(article?.author);
  if (authors.length > 0) return authors.join(', ');
  const meta =
    metas.get('author') ??
    metas.get('article:author') ??
    metas.get('dc.creator') ??
    metas.get('parsely-author');
  if (meta !== undefined && !/^https?:/i.test(meta)) return meta;
  for (const element of tree.elements) {
    if (!isAuthorElement(element)) continue;
    const text = cleanByline(textOf(element, 300));
    if (text.length > 1 && text.length <= 100) return text;
  }
  return undefined;
}

function namesOf(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value];
  const names = values
    .map(stringOf)
    .filter((name): name is string => name !== undefined && !/^https?:/i.test(name));
  return [...new Set(names)].slice(0, 10);
}

function isAuthorElement(element: PageElement): boolean {
  const { attributes, label } = element;
  return (
    attributes.rel === 'author' ||
    attributes.itemprop === 'author' ||
    / (?:byline|by line|author name) /.test(label)
  );
}

function cleanByline(text: string): string {
  return text
    .replace(/^\s*(?:written |posted |story )?(?:by|von|par|por|di)[:\s]+/i, '')
    .replace(/\s*[|•·].*$/, '')
    .trim();
}

function publishedOf(
  tree: PageTree,
  metas: ReadonlyMap<string, string>,
  article: JsonObject | undefined,
): string | undefined {
  const stated = [
    stringOf(article?.datePublished),
    ...[
      'article:published_time',
      'datepublished',
      'date',
      'dc.date',
      'dc.date.issued',
      'dcterms.created',
      'pubdate',
      'parsely-pub-date',
      'sailthru.date',
      'publish-date',
      'og:published_time',
    ].map((name) => metas.get(name)),
  ];
  for (const element of tree.elements) {
    const { attributes } = element;
    if (attributes.itemprop === 'datePublished')
      stated.push(attributes.datetime ?? attributes.content ?? textOf(element, 100));
    else if (element.name === 'time') stated.push(attributes.datetime);
  }
  for (const value of stated) {
    const date = value === undefined ? undefined : toIsoDate(value);
    if (date !== undefined) return date;
  }
  return undefined;
}

/** A bare date stays a date: turning it into an instant would invent a time zone. */
function toIsoDate(value: string): string | undefined {
  const text = value.trim();
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  const time = text.length >= 8 && /\d{4}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

function languageOf(tree: PageTree, metas: ReadonlyMap<string, string>): string | undefined {
  const html = tree.elements.find((element) => element.name === 'html');
  const language =
    html?.attributes.lang ??
    html?.attributes['xml:lang'] ??
    metas.get('content-language') ??
    metas.get('og:locale');
  const tag = language?.split(',')[0]?.trim().replace(/_/g, '-').toLowerCase();
  return tag !== undefined && /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/.test(tag) ? tag : undefined;
}

function publisherOf(jsonLd: readonly JsonObject[]): string | undefined {
  for (const object of jsonLd) {
    if (typesOf(object).includes('WebSite')) return stringOf(object.name);
    if (isObject(object.publisher)) return stringOf(object.publisher);
  }
  return undefined;
}

function baseOf(tree: PageTree, url: string): string {
  const base = tree.elements.find(
    (element) => element.name === 'base' && element.attributes.href !== undefined,
  );
  try {
    return new URL(base?.attributes.href ?? url, url).href;
  } catch {
    return url;
  }
}
