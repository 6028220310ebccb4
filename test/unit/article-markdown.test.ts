import { describe, expect, it } from 'vitest';
import { extractArticle } from '../../src/engine/article/extract-article.ts';

const FILLER =
  '<p>The harbour master walked along the quay every morning, counted the boats, and wrote their names down.</p>' +
  '<p>In winter there were few of them, and he used the free hours to mend the ropes of the old lighthouse.</p>' +
  '<p>Nobody asked him to do so; he liked the work, and he liked the view over the bay even more than that.</p>';

function markdownOf(body: string): string {
  const html = `<html><head><title>Harbour</title></head><body><article>${FILLER}${body}</article></body></html>`;
  return extractArticle(html, 'https://harbour.test/log/entry.html').markdown;
}

describe('Markdown of an article', () => {
  it('starts with the title as its only first-level heading', () => {
    expect(markdownOf('').startsWith('# Harbour\n\nThe harbour master')).toBe(true);
  });

  it('writes headings, emphasis, strong text and inline code', () => {
    const markdown = markdownOf(
      '<h2>Ropes</h2><p>Use <b>new</b> <i>hemp</i> and run <code>splice --long</code> now.</p>',
    );
    expect(markdown).toContain('## Ropes\n\nUse **new** *hemp* and run `splice --long` now.');
  });

  it('makes links and images absolute', () => {
    const markdown = markdownOf(
      '<p>See <a href="../map.html">the map</a> of it here. <img src="/i/bay.png" alt="Bay"></p>',
    );
    expect(markdown).toContain('[the map](https://harbour.test/map.html)');
    expect(markdown).toContain('![Bay](https://harbour.test/i/bay.png)');
  });

  it('nests lists and numbers ordered ones', () => {
    const markdown = markdownOf(
      '<ol><li>First rope<ul><li>thin strand</li><li>thick strand</li></ul></li><li>Second rope</li></ol>',
    );
    expect(markdown).toContain('1.  First rope\n    -   thin strand\n    -   thick strand\n2.  Second rope');
  });

  it('keeps code blocks verbatim with their language', () => {
    const markdown = markdownOf(
      '<pre><code class="language-ts">const a = 1 &lt; 2;\n  run(a);\n</code></pre><p>That was the code.</p>',
    );
    expect(markdown).toContain('```ts\nconst a = 1 < 2;\n  run(a);\n```');
  });

  it('closes code with a fence that the code cannot contain', () => {
    const markdown = markdownOf(
      '<pre>```\n&lt;script&gt;alert(1)&lt;/script&gt;</pre><p>That was the code.</p>',
    );
    expect(markdown).toContain('````\n```\n<script>alert(1)</script>\n````');
  });

  it('writes data tables as GFM tables', () => {
    const markdown = markdownOf(
      '<table><tr><th>Boat</th><th>Crew</th></tr><tr><td>Alma | II</td><td>4</td></tr></table><p>So much for them.</p>',
    );
    expect(markdown).toContain('| Boat | Crew |\n| --- | --- |\n| Alma \\| II | 4 |');
  });

  it('marks quotations on every line', () => {
    const markdown = markdownOf(
      '<blockquote><p>Wind is free.</p><p>Rope is not.</p></blockquote><p>He said it often.</p>',
    );
    expect(markdown).toContain('> Wind is free.\n\n> Rope is not.');
  });

  it('never lets text of the page become HTML or markup', () => {
    const markdown = markdownOf(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=alert(1)&gt; [x](javascript:alert(1)) *not bold* # no</p>',
    );
    expect(markdown).not.toMatch(/<[a-z/!]/i);
    expect(markdown).toContain('\\[x\\](javascript:alert(1))');
    expect(markdown).toContain('\\*not bold\\*');
  });

  it('drops script, data and unknown link targets but keeps their text', () => {
    const markdown = markdownOf(
      '<p>Go <a href="javascript:alert(1)">here</a>, <a href=" JAVA&#10;SCRIPT:x()">there</a>, <a href="data:text/html,x">data</a>' +
        ' and <a href="vbscript:x">home</a> before the night comes over the bay.</p><p><img src="data:image/png;base64,AA" alt="dot"></p>',
    );
    expect(markdown).toContain('Go here, there, data and home before the night');
    expect(markdown).not.toMatch(/javascript|vbscript|data:/i);
  });

  it('lets no address break out of its link', () => {
    const markdown = markdownOf(
      '<p>Walk to <a href="https://a.test/x)[y](javascript:1) <b>">the pier</a> and look at all the boats.</p>',
    );
    expect(markdown).toContain('[the pier](https://a.test/x%29[y]%28javascript:1%29%20%3Cb%3E)');
  });

  it('escapes what would start a list, a heading or a number', () => {
    const markdown = markdownOf(
      '<p>1. not a list but a sentence that starts with a number, as they say.</p><p># nor a heading, whatever it may look like to you.</p>',
    );
    expect(markdown).toContain('1\\. not a list');
    expect(markdown).toContain('\\# nor a heading');
  });
});
