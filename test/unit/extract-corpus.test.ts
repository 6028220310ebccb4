import { describe, expect, it } from 'vitest';
import { genericParser } from '../../src/engine/extract/generic/generic-parser.ts';
import { AVAILABILITIES, type FieldSource, type Verdict } from '../../src/engine/extract/product-fields.ts';
import { corpusFiles, corpusInput, differences, readCorpus } from './extract-corpus.ts';

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
  it.each(PAGES)('$name: $why', (page) => {
    expect(differences(genericParser.extract(corpusInput(page)), page)).toEqual([]);
  });
});
