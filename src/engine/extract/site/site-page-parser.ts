/**
 * A site parser as one of the parsers of pages. What it returns is checked and read, what it leaves open comes from the
 * generic parser, and the whole is judged as anybody's. It is code of whoever runs Forager and runs in this process:
 * what it throws, how long it takes and what it returns is its own affair, and ends with the page.
 */
import type { SiteParser } from '../../../parser/site-parser.ts';
import { monotonicMs } from '../../../platform/clock.ts';
import { noProduct, type PageInput, type PageParser } from '../extract-page.ts';
import { genericParser } from '../generic/generic-parser.ts';
import type { Extraction, FieldName, FieldProblem, FoundFields } from '../product-fields.ts';
import { judgeProduct } from '../validate-product.ts';
import { ParserFailed } from './parser-failed.ts';
import { readSiteProduct } from './read-site-product.ts';
import { ParserPage } from './site-page.ts';
import { type CheckedProduct, siteProduct } from './site-product-schema.ts';
import { withTimeLimit } from './time-limit.ts';

const LIMIT_MS = 2000;
/** Each that is too slow holds up the whole crawl: after so many in a row it is left alone. */
const MOST_SLOW = 3;
const REST_MS = 5 * 60_000;
/** The first look of the parser was enough: it is no product. */
const REFUSED = Symbol('no product');

export interface SiteParserLimits {
  readonly limitMs?: number;
  readonly restMs?: number;
}

export function makeSiteParser(site: SiteParser, limits: SiteParserLimits = {}): PageParser {
  const { limitMs = LIMIT_MS, restMs = REST_MS } = limits;
  const { name, version } = site;
  let slowCount = 0;
  let restsUntil = Number.NEGATIVE_INFINITY;

  return { name, version, extract };

  function extract(input: PageInput): Extraction {
    if (monotonicMs() < restsUntil) {
      const message = `it took longer than ${limitMs} ms on ${MOST_SLOW} pages in a row, and is left alone for a while`;
      throw new ParserFailed('resting', message);
    }
    let generic: Extraction | undefined;
    const page = new ParserPage(input, () => {
      generic ??= genericParser.extract(input);
      return generic;
    });
    const given = run(page);
    if (given === REFUSED)
      return { ...noProduct(site), reason: 'Its isProduct says that this is no product.' };
    if (given === undefined) return noProduct(site);
    const reading = readSiteProduct(given, {
      ...page.priceHints(),
      absolute: (url) => page.absolute(url),
    });
    const filled =
      site.fallback === 'none'
        ? { fields: reading.fields, problems: [] }
        : fillIn(reading.fields, generic ?? genericParser.extract(input));
    const judged = judgeProduct(filled.fields);
    const problems = [...reading.problems, ...filled.problems, ...judged.problems];
    // A price that cannot be right was left out before: the whole is as doubtful as with it.
    const isWrong = filled.problems.some(({ field }) => field === 'price');
    return { parser: name, version, ...judged, problems, verdict: isWrong ? 'invalid' : judged.verdict };
  }

  function run(page: ParserPage): CheckedProduct | typeof REFUSED | undefined {
    const limited = limit(() => {
      if (site.isProduct !== undefined && !site.isProduct(page)) return REFUSED;
      return site.parse(page);
    });
    return limited === REFUSED ? REFUSED : checkResult(limited);
  }

  function limit(code: () => unknown): unknown {
    const done = attempt(() => withTimeLimit(limitMs, code));
    if (done.kind === 'stopped') {
      slowCount += 1;
      if (slowCount >= MOST_SLOW) {
        slowCount = 0;
        restsUntil = monotonicMs() + restMs;
      }
      throw new ParserFailed('too-slow', `it took longer than ${limitMs} ms, and was stopped`);
    }
    slowCount = 0;
    return done.value;
  }
}

function attempt<T>(code: () => T): T {
  try {
    return code();
  } catch (error) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new ParserFailed('threw', text.slice(0, 500), error);
  }
}

function checkResult(result: unknown): CheckedProduct | undefined {
  if (result === undefined || result === null) return undefined;
  if (typeof result === 'object' && 'then' in result && typeof result.then === 'function') {
    // Nobody waits for it: what it throws later must not end the process.
    Promise.resolve(result).catch(() => undefined);
    throw new ParserFailed('bad-result', 'it returned a promise: a parser must not wait for anything');
  }
  const parsed = attempt(() => siteProduct.safeParse(result));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || 'result';
  throw new ParserFailed('bad-result', `its ${place} ${issue?.message ?? 'is not what it may be'}`);
}

/** The upper end of a range belongs to its lower end: from elsewhere it would be that of another price. */
const WITH_PRICE: readonly FieldName[] = ['priceHigh'];

interface Filled {
  readonly fields: FoundFields;
  /** What was wrong with fields that were to come from the generic parser, and are left out. */
  readonly problems: readonly FieldProblem[];
}

function fillIn(own: FoundFields, generic: Extraction): Filled {
  const kept = Object.entries(generic.fields).filter(
    ([name]) => own.price === undefined || !WITH_PRICE.includes(name as FieldName),
  );
  const fields: FoundFields = { ...Object.fromEntries(kept), ...own };
  // What is missing is told again, of the whole.
  const problems = generic.problems.filter(({ field, code }) => code !== 'missing' && !(field in fields));
  return { fields, problems };
}
