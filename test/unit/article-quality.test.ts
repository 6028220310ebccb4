import { readdirSync, readFileSync } from 'node:fs';
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { extractArticle } from '../../src/engine/article/extract-article.ts';

const FOLDER = new URL('../fixtures/article/', import.meta.url);

/** Pages differ in address, too: the address is one of the hints to a page's kind. */
const ADDRESSES: Readonly<Record<string, string>> = {
  'forum-phpbb': 'https://spokes.test/viewtopic.php?t=991',
  'forum-xenforo': 'https://growers.test/threads/repotting.551/',
  'documentation-api-reference': 'https://docs.parcelhub.test/reference/create-shipment',
  'documentation-sphinx': 'https://tidelib.readthedocs.test/en/latest/read.html',
};

interface Fixture {
  readonly name: string;
  readonly kind: string;
  readonly html: string;
  readonly gold: string;
  readonly url: string;
}

const fixtures: Fixture[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.html'))
  .map((file) => {
    const name = file.replace('.html', '');
    return {
      name,
      kind: name.split('-')[0] ?? '',
      html: readFileSync(new URL(file, FOLDER), 'utf8'),
      gold: readFileSync(new URL(`${name}.txt`, FOLDER), 'utf8'),
      url: ADDRESSES[name] ?? `https://pages.test/${name}`,
    };
  });

const scores = fixtures.map((fixture) => ({
  ...fixture,
  ours: tokenF1(fixture.gold, extractArticle(fixture.html, fixture.url).text),
  theirs: tokenF1(fixture.gold, readWithReadability(fixture.html)),
}));

const articles = scores.filter((score) => score.kind === 'article');
const others = scores.filter((score) => score.kind !== 'article');

describe('text of the fixtures against their gold text', () => {
  it('covers at least two dozen pages of all kinds', () => {
    expect(fixtures.length).toBeGreaterThanOrEqual(24);
    expect(new Set(fixtures.map((fixture) => fixture.kind))).toEqual(
      new Set(['article', 'product', 'forum', 'documentation', 'listing', 'other']),
    );
  });

  it.each(articles)('$name is read no worse than by Readability', ({ ours, theirs }) => {
    expect(ours).toBeGreaterThanOrEqual(theirs - 0.02);
  });

  it.each(scores)('$name is read with a token F1 of at least 0.9', ({ ours }) => {
    expect(ours).toBeGreaterThanOrEqual(0.9);
  });

  it('reads articles better than Readability on average', () => {
    expect(mean(articles.map((score) => score.ours))).toBeGreaterThanOrEqual(
      mean(articles.map((score) => score.theirs)),
    );
  });

  it.each(['product', 'forum', 'documentation', 'listing'])(
    'reads %s pages better than Readability on average',
    (kind) => {
      const group = others.filter((score) => score.kind === kind);
      expect(mean(group.map((score) => score.ours))).toBeGreaterThan(
        mean(group.map((score) => score.theirs)),
      );
    },
  );

  it.each(scores)('$name is recognised for what it is', ({ html, url, kind }) => {
    expect(extractArticle(html, url).kind).toBe(kind);
  });
});

function readWithReadability(html: string): string {
  const { document } = parseHTML(html);
  const content = new Readability(document as never).parse()?.content ?? '';
  const { document: article } = parseHTML(`<html><body>${content}</body></html>`);
  // Its textContent glues blocks together; a space after each keeps the comparison fair.
  for (const element of article.querySelectorAll(
    'p,div,li,h1,h2,h3,h4,h5,td,th,dt,dd,br,blockquote,pre,section',
  )) {
    element.after(' ');
  }
  return article.body.textContent ?? '';
}

function tokenF1(gold: string, text: string): number {
  const wanted = countTokens(gold);
  const found = countTokens(text);
  let shared = 0;
  for (const [token, count] of wanted) shared += Math.min(count, found.get(token) ?? 0);
  const wantedTotal = sum([...wanted.values()]);
  const foundTotal = sum([...found.values()]);
  return shared === 0 ? 0 : (2 * shared) / (wantedTotal + foundTotal);
}

/** Words, and single characters of scripts that are written without spaces. */
function countTokens(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const token of text.match(/[\u3040-\u30ff\u4e00-\u9fff]|[\p{L}\p{N}]+/gu) ?? []) {
    counts.set(token, (counts.get(token) ?? 0) + 1);
  }
  return counts;
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
