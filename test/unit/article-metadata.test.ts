import { describe, expect, it } from 'vitest';
import { extractArticle } from '../../src/engine/article/extract-article.ts';

const BODY = '<p>One paragraph of text that is long enough to be taken for the text of this very page.</p>';

function read(head: string, body = BODY, url = 'https://site.test/a') {
  return extractArticle(`<html lang="en_GB"><head>${head}</head><body>${body}</body></html>`, url);
}

describe('what an article says about itself', () => {
  it('cuts the name of the site from the title', () => {
    expect(read('<title>A long day at sea - The Courier</title>').title).toBe('A long day at sea');
    expect(
      read(
        '<title>The Courier | A long day at sea</title><meta property="og:site_name" content="The Courier">',
      ).title,
    ).toBe('A long day at sea');
  });

  it('keeps a title that merely contains a dash or a colon', () => {
    expect(read('<title>Sea-going folk: a memoir</title>').title).toBe('Sea-going folk: a memoir');
  });

  it('prefers the headline of the page to a title shortened for search engines', () => {
    const article = read(
      '<title>Storm damage</title>',
      `<h1>Storm damage closes the pier for months</h1>${BODY}`,
    );
    expect(article.title).toBe('Storm damage closes the pier for months');
  });

  it('does not take the logo for the headline', () => {
    const article = read(
      '<title>The net menders of Holm - Tidings</title>',
      `<h1>Tidings</h1><h2>The net menders of Holm</h2>${BODY}`,
    );
    expect(article.title).toBe('The net menders of Holm');
  });

  it('reads authors and date from JSON-LD, in a graph, as objects or strings', () => {
    const data = {
      '@graph': [
        { '@type': 'WebSite', name: 'Tidings' },
        {
          '@type': ['NewsArticle'],
          author: [{ name: 'Ida Roth' }, 'Per Holm'],
          datePublished: '2024-05-06T07:08:09+02:00',
        },
      ],
    };
    const article = read(`<script type="application/ld+json">${JSON.stringify(data)}</script>`);
    expect(article).toMatchObject({
      byline: 'Ida Roth, Per Holm',
      publishedAt: '2024-05-06T05:08:09.000Z',
      siteName: 'Tidings',
    });
  });

  it('passes over JSON-LD that is broken', () => {
    const article = read(
      '<script type="application/ld+json">{"@type":</script><meta name="author" content="Ida Roth">',
    );
    expect(article.byline).toBe('Ida Roth');
  });

  it('finds a byline in the text and takes the words around the name away', () => {
    expect(read('', `<div class="byline">By Ida Roth | 3 May</div>${BODY}`).byline).toBe('Ida Roth');
  });

  it('keeps a bare date a date', () => {
    expect(read('<meta property="article:published_time" content="2024-05-06">').publishedAt).toBe(
      '2024-05-06',
    );
    expect(read('', `<time datetime="2023-01-02">2 January</time>${BODY}`).publishedAt).toBe('2023-01-02');
    expect(read('<meta name="date" content="some day in spring">').publishedAt).toBeUndefined();
  });

  it('gives the language as a lower-case tag', () => {
    expect(read('').language).toBe('en-gb');
  });

  it('takes the description as excerpt, or else the opening of the text', () => {
    expect(read('<meta name="description" content="In short.">').excerpt).toBe('In short.');
    expect(read('').excerpt).toBe(
      'One paragraph of text that is long enough to be taken for the text of this very page.',
    );
  });

  it('counts words in languages without spaces too', () => {
    expect(read('').wordCount).toBe(18);
    expect(read('', '<p>港町の図書館は夜も開いている。</p>').wordCount).toBeGreaterThan(5);
  });
});
