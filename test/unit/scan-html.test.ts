import { createHash } from 'node:crypto';
import v8 from 'node:v8';
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { ParsedPage } from '../../src/engine/parse/parsed-page.ts';
import { parseHtml, visibleText } from '../../src/engine/parse/scan-html.ts';
import { simhash } from '../../src/engine/parse/simhash.ts';

function parse(html: string | Buffer, maxLinks = 1000): ParsedPage {
  return parseHtml({ html, url: 'https://site.example/dir/page', maxLinks });
}

const hrefs = (html: string) => parse(html).links.map((link) => link.href);

describe('visible text', () => {
  it.each([
    ['collapses whitespace of every kind', '  a \n\t b\u00a0\u2003 c&nbsp;&emsp;d\r\n', 'a b c d'],
    [
      'separates words at block elements and line breaks',
      '<p>a</p><p>b<div>c</div>d<br>e<td>f<li>g',
      'a b c d e f g',
    ],
    ['does not separate words at inline elements', 'un<b>believ</b>a<i>ble</i><!-- x -->!', 'unbelievable!'],
    ['leaves out scripts and styles', 'a<script>if (1<2) "</p>"</script>b<style>p>a{}</style>c', 'abc'],
    [
      'leaves out titles, templates and noscript',
      '<title>t</title>a<template>x<p>y</template><noscript>n</noscript>b',
      'ab',
    ],
    [
      'leaves out form values',
      'a<textarea><b>x</textarea><select><option>o</select>b<datalist><option>q</datalist>c',
      'abc',
    ],
    [
      'leaves out fallback content',
      'a<video>old</video><iframe>old</iframe><noframes>old</noframes><canvas>old</canvas>b',
      'a b',
    ],
    [
      'leaves out elements with a hidden attribute',
      'a<div hidden>b<div>c</div>d</div>e<span hidden="">f</span>g',
      'a eg',
    ],
    ['shows a paragraph marked hidden, whose end cannot be known', '<p hidden>a<p>b', 'a b'],
    [
      'decodes references',
      '&lt;a&gt; &amp;amp; &copy &#65;&#x42; &notit; &unknown; &#128; &#0;',
      '<a> &amp; © AB ¬it; &unknown; € \ufffd',
    ],
    ['reads a reference with any number of zeros', `&#${'0'.repeat(500)}65;&#x${'0'.repeat(50)}42;`, 'AB'],
    ['keeps an ampersand that begins nothing', 'a & b &; &# &#x; &', 'a & b &; &# &#x; &'],
    ['keeps signs that open no tag', 'a < b <3 <= c <', 'a < b <3 <= c <'],
    [
      'shows preformatted markup as it is',
      '<xmp><b>&amp;</xmp>c<plaintext><i></plaintext>',
      '<b>&amp; c<i></plaintext>',
    ],
    ['drops NUL', 'a\0b', 'ab'],
    ['reads text in any script', 'Ünï 日本 \u{1f600}', 'Ünï 日本 \u{1f600}'],
    [
      'shows SVG text but not its title',
      '<svg><title>t</title><desc>d</desc><text>x</text><style>s</style></svg>y',
      'xy',
    ],
    ['shows CDATA in SVG alone', '<svg><text><![CDATA[<a>&amp;]]></text></svg><![CDATA[b]]>c', '<a>&amp;c'],
    ['ends what SVG hid with the SVG', '<svg><title>t</svg>a', 'a'],
  ])('%s', (_property, html, expected) => {
    expect(visibleText(html)).toBe(expected);
    expect(visibleText(Buffer.from(html))).toBe(expected);
  });

  it('is what length, content hash and SimHash are taken of', () => {
    for (const html of ['', '<p>', 'plain', '<p>Grüße, 世界 \u{1f600}</p> <b>x</b>\u3000y ']) {
      const text = visibleText(html);
      const page = parse(html);
      expect(page.textLength).toBe(text.length);
      expect(page.contentHash).toEqual(createHash('sha256').update(text).digest());
      expect(page.simhash).toBe(simhash(text));
    }
  });

  it('does not change with markup around the same words', () => {
    const one = parse('<p class=a>Some <b>words</b></p>\n\n<div>here</div>');
    const other = parse('<!-- v2 --><main><p id="x">Some\twords</p><script>1</script>here</main>');
    expect(other.contentHash).toEqual(one.contentHash);
  });
});

describe('tokenizing', () => {
  it.each([
    ['<!-->', '<!--><a href=x>'],
    ['<!--->', '<!---><a href=x>'],
    ['--!>', '<!-- <a href=no> --!><a href=x>'],
    ['a dash run', '<!-- <a href=no> ----><a href=x>'],
    ['a bang right after the opening, which ends nothing', '<!--!><a href=no>--><a href=x>'],
    ['a declaration', '<!doctype html public "<a href=no"><a href=x>'],
    ['a processing instruction', '<?php <a href=no ?><a href=x>'],
    ['CDATA in HTML, a comment up to the next sign', '<![CDATA[<a href=no>]]><a href=x>'],
    ['an end tag without a name', '</ <a href=no><a href=x>'],
    ['an empty end tag', '</><a href=x>'],
  ])('ends a comment at %s', (_what, html) => {
    expect(hrefs(html)).toEqual(['x']);
  });

  it.each([
    ['quoted, unquoted and bare attributes', `<a one two='>' three="<a href=no>" href=x>`],
    ['whitespace around the equals sign', '<a\nhref\n=\n"x"\n>'],
    ['a slash between attributes', '<a/class=y /href=x>'],
    ['upper case', '<A HREF=x>'],
    ['the first of two', '<a href=x href=y>'],
    ['a quote inside an unquoted value', `<a title=a"b' href=x>`],
    ['an equals sign as a name', '<a =foo=bar href=x>'],
    ['whitespace inside the value', '<a href=" \n\tx\r\n ">'],
  ])('reads an attribute with %s', (_what, html) => {
    expect(hrefs(html)).toEqual(['x']);
  });

  it('decodes references in attributes by the rules for attributes', () => {
    expect(hrefs('<a href="?a=1&amp;copy=2&copy=3&copy;&not&notit&#x26;&reg&lt">')).toEqual([
      '?a=1&copy=2&copy=3©¬&notit&®<',
    ]);
  });

  it('lets no NUL through, which no database takes', () => {
    const page = parse('<title>a\0b</title><meta name=description content="c\0d"><a href="e\0f">');
    expect(page.title).toBe('a\ufffdb');
    expect(page.description).toBe('c\ufffdd');
    expect(page.links[0]?.href).toBe('e\ufffdf');
  });

  it.each([
    ['script', '<script>"<a href=no>"</script><a href=x>'],
    [
      'script with an escaped script inside',
      '<script><!-- <script> </script> <a href=no> --></script><a href=x>',
    ],
    ['script whose comment is closed first', '<script><!-- --><script></script><a href=x>'],
    ['script with an end tag in a comment', '<script><!-- </script><a href=x>'],
    ['script with an end tag in any case', '<script></SCRIPT foo="><a href=no>"><a href=x>'],
    [
      'script of some length',
      `<script>${'x'.repeat(500)}<a href=no>${'<'.repeat(200)}${'y'.repeat(500)}</script><a href=x>`,
    ],
    ['script with a longer name', '<script></scripts><a href=no></script ><a href=x>'],
    ['style', '<style></ style><a href=no></style/><a href=x>'],
    ['textarea', '<textarea><a href=no></title></textarea><a href=x>'],
    ['title', '<title><a href=no></title><a href=x>'],
    ['iframe', '<iframe><a href=no></iframe><a href=x>'],
    ['xmp', '<xmp><a href=no></xmp><a href=x>'],
    ['a void-looking script', '<script/><a href=no></script><a href=x>'],
  ])('reads no markup inside %s', (_what, html) => {
    expect(hrefs(html)).toEqual(['x']);
  });

  it('reads markup inside SVG style and script, as the standard has it', () => {
    expect(hrefs('<svg><style><a href=x></a></style></svg>')).toEqual(['x']);
    expect(hrefs('<svg><foreignObject><style><a href=no></style></foreignObject></svg><a href=x>')).toEqual([
      'x',
    ]);
    expect(hrefs('<svg><p><style><a href=no></style><a href=x>')).toEqual(['x']);
  });

  it('drops a tag the page ends in', () => {
    for (const html of ['<a href=x', '<a href="x>', '<a href', '<a ', '<a', '<a href="x"', '</a']) {
      expect(parse(html).linksSeen).toBe(0);
      expect(visibleText(`a${html}`)).toBe('a');
    }
  });
});

describe('title and language', () => {
  it.each([
    ['collapses whitespace and decodes references', '<title>\n A &amp;\t B&nbsp;</title>', 'A & B'],
    ['keeps markup as text', '<title>a <b>c</b></title>', 'a <b>c</b>'],
    ['takes the first title alone', '<title>one</title><title>two</title>', 'one'],
    ['passes over titles in SVG', '<svg><title>icon</title></svg><title>page</title>', 'page'],
    ['passes over titles in templates', '<template><title>t</title></template><title>page</title>', 'page'],
    ['reads a title left open to the end', '<title>a', 'a'],
  ])('%s', (_property, html, expected) => {
    expect(parse(html).title).toBe(expected);
  });

  it('has no title for an empty one, and caps a long one between characters', () => {
    expect(parse('<title> </title>').title).toBeUndefined();
    expect(parse(`<title>a${'\u{1f600}'.repeat(2000)}</title>`).title).toBe(`a${'\u{1f600}'.repeat(499)}`);
  });

  it('takes the language of html, then of the pragma, then of the header', () => {
    const language = (html: string, contentLanguage?: string) =>
      parseHtml({ html, url: 'https://e.example/', contentLanguage, maxLinks: 1 }).language;
    const pragma = '<meta http-equiv=content-language content=FR>';
    expect(language(`<html lang="de_AT">${pragma}`, 'en')).toBe('de-at');
    expect(language(`<html xml:lang=pt-BR>`, 'en')).toBe('pt-br');
    expect(language(`<html lang="">${pragma}`, 'en')).toBe('fr');
    expect(language('<html>', 'en-US, de')).toBe('en-us');
    expect(language('<html lang="{{ lang }}">')).toBeUndefined();
  });
});

describe('hostile pages', () => {
  /** Counts the bytes the scanner looks at, so that cost is measured in steps and not in time. */
  function countSteps(html: string): number {
    const target = Buffer.from(html);
    let steps = 0;
    const counting = new Proxy(target, {
      get(buffer, key) {
        if (typeof key === 'string' && key.charCodeAt(0) <= 0x39) {
          steps++;
          return buffer[Number(key)];
        }
        if (key === 'indexOf') {
          return (value: number, from: number) => {
            const found = buffer.indexOf(value, from);
            steps += (found === -1 ? buffer.length : found) - from;
            return found;
          };
        }
        if (key !== 'toString') return Reflect.get(buffer, key, buffer);
        return (encoding: BufferEncoding, start = 0, end = buffer.length) => {
          steps += Math.max(0, end - start);
          return buffer.toString(encoding, start, end);
        };
      },
    });
    parseHtml({ html: counting, url: 'https://e.example/', maxLinks: 50 });
    return steps;
  }

  it.each([
    ['<'],
    ['</'],
    ['<!'],
    ['<!--'],
    ['<!-- --'],
    ['<a '],
    ['<a href='],
    ['<a href="'],
    ['<a href="x">'],
    ['<a href=x y=z '],
    ['<script>'],
    ['<script><!--<script>'],
    ['<script><!--'],
    ['<title>'],
    ['<title>x</title>'],
    ['<textarea>'],
    ['<svg>'],
    ['<svg></math>'],
    ['<svg><title>'],
    ['<svg><![CDATA['],
    ['<svg><foreignObject>'],
    ['<div>'],
    ['<template>'],
    ['<noscript>'],
    ['<meta name=x content='],
    ['<meta http-equiv=refresh content="0 '],
    ['<base href=">'],
    ['&'],
    ['&#'],
    ['&#0'],
    ['&notanentity'],
    ['& '],
    ['\0'],
    [' '],
    ['é'],
    ['日本'],
    ['-'],
    ['<plaintext>'],
    ['<xmp></xm'],
    ['<select>'],
  ])('costs in proportion to its length: %s repeated', (piece) => {
    const small = countSteps(piece.repeat(1000));
    const large = countSteps(piece.repeat(4000));
    expect(small).toBeGreaterThan(0);
    expect(large).toBeLessThanOrEqual(small * 4.5 + 1000);
  });

  it('counts a million links and keeps the first', () => {
    const page = parse('<a href=/x>'.repeat(500_000) + '<a href="/y">'.repeat(500_000), 2);
    expect(page.linksSeen).toBe(1_000_000);
    expect(page.links.map((link) => link.href)).toEqual(['/x', '/y']);
    const many = parse(Array.from({ length: 3000 }, (_, i) => `<a href=/${i}>`).join(''), 1000);
    expect(many.linksSeen).toBe(3000);
    expect(many.links).toHaveLength(1000);
  });

  it('gets through ten megabytes of nothing', () => {
    expect(parse('<'.repeat(10_000_000)).textLength).toBe(10_000_000);
    expect(parse('<div>'.repeat(2_000_000)).textLength).toBe(0);
  });

  it('refuses an address of unreasonable length', () => {
    const page = parse(`<a href="/${'x'.repeat(100_000)}"><a href=/y>`);
    expect(page.linksSeen).toBe(2);
    expect(page.links.map((link) => link.href)).toEqual(['/y']);
  });

  it('reads any cut of a page without throwing', () => {
    const whole =
      '<!doctype html><html lang=en><head><title>A &amp; é</title><meta name=robots content=noindex><base href=/b>' +
      '</head><body><!-- c --><script><!-- <script>--></script><svg><![CDATA[x]]></svg><a href="?a&amp;b" rel=ugc>日本</a>' +
      '<textarea></textarea>&notin;&#x1f600;</body>';
    const bytes = Buffer.from(whole);
    for (let length = 0; length <= bytes.length; length++) {
      const page = parse(bytes.subarray(0, length));
      expect(page.textLength).toBeLessThanOrEqual(length + 2);
    }
  });
});

describe('memory', () => {
  it('keeps no page alive through what was read from it', async () => {
    v8.setFlagsFromString('--expose-gc');
    const collect: () => void = vm.runInNewContext('gc');
    const filler = 'x'.repeat(5_000_000);
    const makePage = (i: number) =>
      `<title>A title long enough to be a slice ${i}</title><meta name=description content="A description ${i}, long too">` +
      `<link rel=canonical href="/canonical/page/${i}"><a href="/a/link/long/enough/${i}?a=1&amp;b=2">${filler}`;
    const kept: ParsedPage[] = [];
    parse(makePage(0));
    collect();
    const usedBytes = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
    const before = usedBytes();
    for (let i = 0; i < 12; i++) {
      const html = makePage(i);
      kept.push(parse(i % 2 === 0 ? html : Buffer.from(html)));
    }
    // Buffers are given back by another thread, some time after the collection that found them unused.
    const grown = () => {
      collect();
      return usedBytes() - before;
    };
    await expect.poll(grown, { timeout: 30_000 }).toBeLessThan(2 * filler.length);
    expect(kept[11]?.title).toBe('A title long enough to be a slice 11');
  });
});
