import { describe, expect, it } from 'vitest';
import { genericParser } from '../../src/engine/extract/generic/generic-parser.ts';
import { AVAILABILITIES, type FieldSource, type Verdict } from '../../src/engine/extract/product-fields.ts';
import { corpusFiles, corpusHtml, corpusInput, differences, readCorpus } from './extract-corpus.ts';

const PAGES = readCorpus();
const VERDICTS: readonly Verdict[] = ['valid', 'partial', 'invalid', 'none'];
/** Those that the generic parser can name: a site parser names itself. */
const SOURCES: readonly FieldSource[] = ['json-ld', 'microdata', 'rdfa', 'open-graph', 'meta', 'heuristic'];

describe('the corpus of product pages', () => {
  it('has at least 60 pages, and each is there with what is expected of it', () => {
    const pages = corpusFiles().filter((file) => file.endsWith('.html'));
    expect(pages.length).toBeGreaterThanOrEqual(60);
    expect(PAGES.map(({ name }) => `${name}.html`)).toEqual(pages);
  });

  it('has pages with every verdict, every availability and every source of a field', () => {
    const expected = PAGES.map((page) => page.expected);
    expect(new Set(expected.map(({ verdict }) => verdict))).toEqual(new Set(VERDICTS));
    const availabilities = expected.map(({ fields }) => fields.availability);
    for (const one of AVAILABILITIES) expect(availabilities).toContain(one);
    const sources = expected.flatMap((one) => Object.values(one.sources ?? {}));
    for (const one of SOURCES) expect(sources).toContain(one);
  });
});

describe('the generic parser reads each page of the corpus as a person would', () => {
  for (const page of PAGES) {
    it(`${page.name}: ${page.why}`, () => {
      expect(differences(genericParser.extract(corpusInput(page)), page)).toEqual([]);
    });
  }
});

describe('what a page says does not depend on how it is written down', () => {
  it('nor on what was read before it', () => {
    const once = PAGES.map((page) => genericParser.extract(corpusInput(page)));
    const again = PAGES.toReversed().map((page) => genericParser.extract(corpusInput(page)));
    expect(again.toReversed()).toEqual(once);
  });

  it.each([
    { how: 'lines end as on Windows', rewrite: (html: string) => html.replaceAll('\n', '\r\n') },
    { how: 'it begins with a byte order mark', rewrite: (html: string) => `\ufeff${html}` },
    { how: 'tags are written in capitals', rewrite: inCapitals },
    { how: 'it was never closed', rewrite: (html: string) => html.replace(/<\/body>\s*<\/html>\s*$/, '') },
    { how: 'comments speak of other products', rewrite: withComments },
  ])('nor whether $how', ({ rewrite }) => {
    const lines: string[] = [];
    for (const page of PAGES) {
      const found = genericParser.extract(corpusInput(page, rewrite(corpusHtml(page))));
      lines.push(...differences(found, page).map((line) => `${page.name}: ${line}`));
    }
    expect(lines).toEqual([]);
  });
});

/** Outside of scripts names of elements and attributes are written in capitals, which HTML does not tell apart. */
function inCapitals(html: string): string {
  return html
    .split(/(<script[\s\S]*?<\/script>)/)
    .map((part) => (part.startsWith('<script') ? part : part.replace(/<\/?[a-z][^<>]*>/g, capitals)))
    .join('');
}

function capitals(tag: string): string {
  return tag.replace(
    /("[^"]*")|([a-z-]+)(?==)|^(<\/?[a-z\d]+)/g,
    (all, quoted) => quoted ?? all.toUpperCase(),
  );
}

function withComments(html: string): string {
  const other =
    '<!-- <script type="application/ld+json">{"@type":"Product","name":"Old","offers":{"price":"1.23"}}</script>' +
    '<h1>Old</h1><div itemscope itemtype="http://schema.org/Product"><b itemprop="price">1.23</b></div> -->';
  return html.replace(/<head>/, `<head>${other}`).replace(/<body[^>]*>/, `$&${other}`);
}
