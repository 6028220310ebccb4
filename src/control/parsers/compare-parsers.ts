/** Tries a parser on stored pages, next to another one. Nothing is written: what is kept of a page is read twice. */

import { extractPage, type PageInput, type PageParser } from '../../engine/extract/extract-page.ts';
import type { Extraction, Verdict } from '../../engine/extract/product-fields.ts';
import { toUtf8Html } from '../../engine/parse/decode-body.ts';
import { parseHtml } from '../../engine/parse/scan-html.ts';
import { monotonicMs } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { PageBodyColumns } from '../pages/page-row.ts';
import { readPageBody } from '../pages/read-page-body.ts';
import { type Difference, type FieldAgreement, FieldComparison } from './compare-fields.ts';
import { rateOf } from './parse-figures.ts';

const samplePages = loadSql(import.meta.url, './sample-pages.sql');

/** Most of them have products; the others tell whether one is found where none is. */
const SHARE_WITH_PRODUCTS = 0.75;

export interface CompareOrder {
  readonly domainId: number;
  readonly old: PageParser;
  readonly new: PageParser;
  readonly sample: number;
  readonly warcDirectory: string;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

export interface ParserResult {
  readonly parser: string;
  readonly version: string;
  readonly verdicts: Readonly<Record<Verdict | 'failed', number>>;
  /** Valid ones out of those on which it, or the other one, or an earlier reading has found a product. */
  readonly rate: number | null;
  readonly msPerPage: number | null;
  /** The first, where it has failed itself. */
  readonly failure: { readonly url: string; readonly message: string } | null;
}

export interface Comparison {
  readonly pages: number;
  /** Their bodies are not on this machine, or damaged. */
  readonly unreadable: number;
  readonly old: ParserResult;
  readonly new: ParserResult;
  readonly fields: readonly FieldAgreement[];
  readonly examples: readonly Difference[];
}

interface SampledPage extends PageBodyColumns {
  readonly url: string;
  readonly hasProduct: boolean;
}

export async function compareParsers(db: Database, order: CompareOrder): Promise<Comparison> {
  const { sample, domainId, warcDirectory, onProgress, signal } = order;
  const values = [domainId, Math.ceil(sample * SHARE_WITH_PRODUCTS), sample];
  const { rows } = await db.query<SampledPage>(samplePages, values);
  const [older, newer] = [new Tally(order.old), new Tally(order.new)];
  const comparison = new FieldComparison();
  let unreadable = 0;
  let products = 0;
  for (const [index, row] of rows.entries()) {
    if (signal?.aborted === true) break;
    const page = await readInput(warcDirectory, row);
    if (page === undefined) unreadable += 1;
    else {
      // Whoever comes second finds the caches warm: they take turns.
      const isOldFirst = index % 2 === 0;
      const first = (isOldFirst ? older : newer).run(page);
      const second = (isOldFirst ? newer : older).run(page);
      const [before, after] = isOldFirst ? [first, second] : [second, first];
      if (row.hasProduct || isProduct(before) || isProduct(after)) products += 1;
      comparison.add(row.url, before, after);
    }
    onProgress?.(index + 1, rows.length);
  }
  return {
    ...{ pages: rows.length - unreadable, unreadable },
    ...{ old: older.result(products), new: newer.result(products) },
    ...{ fields: comparison.fields, examples: comparison.examples },
  };
}

function isProduct({ verdict, failure }: Extraction): boolean {
  return verdict !== 'none' || failure !== undefined;
}

/** As the crawl gives it to the parser. */
async function readInput(warcDirectory: string, row: SampledPage): Promise<PageInput | undefined> {
  const body = await readPageBody(warcDirectory, row);
  if (body.kind !== 'kept') return undefined;
  const { html } = toUtf8Html(body.bytes, body.contentType);
  const { baseUrl, language } = parseHtml({ html, url: row.url, contentLanguage: undefined, maxLinks: 0 });
  return { html, url: row.url, baseUrl, language };
}

class Tally {
  readonly #parser: PageParser;
  readonly #verdicts = { valid: 0, partial: 0, invalid: 0, none: 0, failed: 0 };
  #ms = 0;
  #pages = 0;
  #failure: ParserResult['failure'] = null;

  constructor(parser: PageParser) {
    this.#parser = parser;
  }

  run(page: PageInput): Extraction {
    const beganMs = monotonicMs();
    const extraction = extractPage(this.#parser, page);
    this.#ms += monotonicMs() - beganMs;
    this.#pages += 1;
    const { verdict, failure } = extraction;
    this.#verdicts[failure === undefined ? verdict : 'failed'] += 1;
    if (failure !== undefined) this.#failure ??= { url: page.url, message: failure };
    return extraction;
  }

  result(products: number): ParserResult {
    const { name: parser, version } = this.#parser;
    return {
      ...{ parser, version, verdicts: this.#verdicts, rate: rateOf(this.#verdicts.valid, products) },
      msPerPage: this.#pages === 0 ? null : Math.round((this.#ms / this.#pages) * 1000) / 1000,
      failure: this.#failure,
    };
  }
}
