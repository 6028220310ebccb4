/** The corpus of product pages: each page with what a person, and the vocabularies' own rules, say is on it. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PageInput } from '../../src/engine/extract/extract-page.ts';
import type {
  Extraction,
  FieldName,
  FieldSource,
  ProductVariant,
  Verdict,
} from '../../src/engine/extract/product-fields.ts';
import { toUtf8Html } from '../../src/engine/parse/decode-body.ts';
import { parseBody } from '../../src/engine/parse/parse-body.ts';

const FOLDER = new URL('../corpus/products/', import.meta.url);
const CONTENT_TYPE = 'text/html; charset=utf-8';

/** Images by their addresses; of variants what is given; of a description some words of it. */
export interface ExpectedFields
  extends Partial<Record<Exclude<FieldName, 'images' | 'variants' | 'category' | 'reviewCount'>, string>> {
  readonly images?: readonly string[];
  readonly variants?: readonly ProductVariant[];
  readonly category?: readonly string[];
  readonly reviewCount?: number;
}

export interface CorpusPage {
  readonly name: string;
  readonly url: string;
  /** Of the answer's headers, where the page itself does not say. */
  readonly language?: string;
  readonly why: string;
  readonly expected: {
    readonly verdict: Verdict;
    readonly fields: ExpectedFields;
    readonly sources?: Partial<Record<FieldName, FieldSource>>;
    /** Fields that must not be found. */
    readonly absent?: readonly FieldName[];
    /** Problems there must be: a field, or a field and a code such as `price:missing`. */
    readonly problems?: readonly string[];
  };
}

export function corpusFiles(): readonly string[] {
  return readdirSync(fileURLToPath(FOLDER)).sort();
}

export function readCorpus(): readonly CorpusPage[] {
  return corpusFiles()
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      ...(JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Omit<CorpusPage, 'name'>),
      name: file.slice(0, -'.json'.length),
    }));
}

/** As the crawl hands a page to its parser. */
export function pageInput(body: Buffer, url: string, contentLanguage?: string): PageInput {
  const { page } = parseBody({ body, contentType: CONTENT_TYPE, contentLanguage, url, maxLinks: 1000 });
  const { html } = toUtf8Html(body, CONTENT_TYPE);
  return { html, url, baseUrl: page.baseUrl, language: page.language };
}

export function corpusHtml({ name }: CorpusPage): string {
  return readFileSync(new URL(`${name}.html`, FOLDER), 'utf8');
}

export function corpusInput(page: CorpusPage, html = corpusHtml(page)): PageInput {
  return pageInput(Buffer.from(html), page.url, page.language);
}

/** One line for each thing that differs; none: all is as expected. */
export function differences(found: Extraction, { expected }: CorpusPage): readonly string[] {
  const lines: string[] = [];
  const tell = (what: string, wanted: unknown, got: unknown) =>
    lines.push(`${what}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(got)}`);
  if (found.verdict !== expected.verdict) {
    tell('verdict', expected.verdict, found.verdict);
    if (found.problems.length > 0) lines.push(`problems: ${JSON.stringify(found.problems)}`);
  }
  if (found.verdict === 'none' && Object.keys(found.fields).length > 0)
    tell('fields', [], Object.keys(found.fields));
  for (const [name, wanted] of Object.entries(expected.fields) as [FieldName, unknown][]) {
    const got = found.fields[name];
    if (got === undefined) tell(name, wanted, undefined);
    else if (!isAsExpected(name, wanted, got.value)) tell(name, wanted, plainValue(name, got.value));
  }
  for (const [name, wanted] of Object.entries(expected.sources ?? {}) as [FieldName, FieldSource][]) {
    const source = found.fields[name]?.source;
    if (source !== wanted) tell(`source of ${name}`, wanted, source);
  }
  for (const name of expected.absent ?? []) {
    const got = found.fields[name];
    if (got !== undefined) tell(name, 'nothing', got.value);
  }
  for (const wanted of expected.problems ?? []) {
    const [field, code] = wanted.split(':');
    const isTold = found.problems.some((one) => one.field === field && (code ?? one.code) === one.code);
    if (!isTold) tell('problem', wanted, found.problems);
  }
  return lines;
}

function isAsExpected(name: FieldName, wanted: unknown, got: unknown): boolean {
  const value = plainValue(name, got);
  if (name === 'description') return typeof value === 'string' && value.includes(String(wanted));
  if (name === 'variants') {
    const variants = value as readonly ProductVariant[];
    const parts = wanted as readonly ProductVariant[];
    return variants.length === parts.length && parts.every((part, at) => contains(variants[at], part));
  }
  return JSON.stringify(value) === JSON.stringify(wanted);
}

function plainValue(name: FieldName, value: unknown): unknown {
  return name === 'images' ? (value as readonly { url: string }[]).map(({ url }) => url) : value;
}

/** All that the part says is also said by the whole. */
function contains(whole: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return whole === part;
  if (typeof whole !== 'object' || whole === null) return false;
  return Object.entries(part).every(([key, value]) => contains(Reflect.get(whole, key), value));
}
