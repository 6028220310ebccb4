import { describe, expect, it } from 'vitest';
import { extractArticle } from '../../src/engine/article/extract-article.ts';

const URL = 'https://pages.test/a';
/** The largest inputs take seconds on a busy machine; the limit only catches what never ends. */
const PATIENCE_MS = 120_000;

describe('extracting from hostile and broken pages', { timeout: PATIENCE_MS }, () => {
  it('returns empty text for an empty document', () => {
    expect(extractArticle('', URL)).toEqual({
      title: '',
      text: '',
      markdown: '',
      kind: 'other',
      wordCount: 0,
    });
    expect(extractArticle('<html><head></head><body></body></html>', URL).text).toBe('');
  });

  it('never comes out empty when the page shows text, wherever it stands', () => {
    expect(extractArticle('just a line of text', URL).text).toBe('just a line of text');
    expect(extractArticle('<nav><p>Only this is here.</p></nav>', URL).text).toContain('Only this is here.');
    expect(extractArticle('<footer class="cookie-banner">Hello you</footer>', URL).text).toBe('Hello you');
    expect(extractArticle('<div class="comments"><p>Nice!</p></div>', URL).text).toContain('Nice!');
  });

  it('survives elements nested hundreds of thousands deep', () => {
    const depth = 300_000;
    const article = extractArticle(
      `${'<div>'.repeat(depth)}<p>Deep down there is a sentence.</p>${'</div>'.repeat(depth)}`,
      URL,
    );
    expect(article.text).toBe('Deep down there is a sentence.');
  });

  it('survives deeply nested lists, quotes and tables', () => {
    for (const tag of ['ul><li', 'blockquote', 'table><tr><td', 'b', 'a href="#"', 'span']) {
      const article = extractArticle(`${`<${tag}>`.repeat(20_000)}A sentence at the bottom of it.`, URL);
      expect(article.text).toContain('A sentence at the bottom of it.');
      expect(article.markdown.length).toBeLessThan(1000);
    }
  });

  it('reads a page of ten megabytes', () => {
    const paragraph =
      '<p>Every line of this very long page says the same thing, again and again, in so many words.</p>\n';
    const count = Math.ceil(10_000_000 / paragraph.length);
    const article = extractArticle(`<html><body><main>${paragraph.repeat(count)}</main></body></html>`, URL);
    expect(article.wordCount).toBe(count * 18);
  });

  it('keeps the text of unclosed and misnested elements in order', () => {
    const article = extractArticle(
      '<body><div><p>First <b>bold paragraph, never closed, with enough words to be taken for one.<p>Second <i>paragraph</b> of it, again' +
        ' with enough words in it</i>.<ul><li>one<li>two</div>',
      URL,
    );
    expect(article.text.replace(/\s+/g, ' ')).toBe(
      'First bold paragraph, never closed, with enough words to be taken for one. ' +
        'Second paragraph of it, again with enough words in it. - one - two',
    );
  });

  it('does not take script, style, template or hidden text for content', () => {
    const article = extractArticle(
      '<body><script>var a = "x";</script><style>.a{}</style><template><p>template</p></template><p hidden>hidden</p>' +
        '<p style="display: none">gone</p><p aria-hidden="true">aria</p><p>What a visitor sees of this page.</p></body>',
      URL,
    );
    expect(article.text).toBe('What a visitor sees of this page.');
  });

  it('is not slowed down by long runs of white space', () => {
    const gap = ' '.repeat(400_000);
    const article = extractArticle(
      `<pre>a${gap}b\n${gap}c</pre><p>x${gap}y ${gap}\n${gap}| z</p><p>${gap}</p>`,
      URL,
    );
    expect(article.text).toContain('x y | z');
  });

  it('takes the text from JSON-LD where the page itself shows next to none', () => {
    const body = 'The whole story stands in the data of the page, because a script draws it. '.repeat(8);
    const data = JSON.stringify({ '@type': 'NewsArticle', headline: 'Drawn', articleBody: body });
    const html = `<script type="application/ld+json">${data}</script><div id="root">Loading</div>`;
    expect(extractArticle(html, URL).text).toBe(body.trim());
  });

  it('accepts an address that is not one', () => {
    const article = extractArticle(
      '<p>See <a href="/x">this</a> and <a href="https://b.test/">that</a> there.</p>',
      'not a url',
    );
    expect(article.markdown).toBe('See this and [that](https://b.test/) there.');
  });

  it('gives the same answer twice', () => {
    const html =
      '<article><h1>Twice</h1><p>One paragraph that is long enough to be taken for the text of this page.</p></article>';
    expect(extractArticle(html, URL)).toEqual(extractArticle(html, URL));
  });
});
