/** Text that is fit to be kept. */
import { describe, expect, it } from 'vitest';
import { cleanLine, cleanProse } from '../../../src/engine/extract/values/clean-value.ts';

describe('a line', () => {
  it.each([
    ['  A \n\t cup\u00a0of  tea ', 'A cup of tea'],
    ['<b>Bold</b> cup', 'Bold cup'],
    ['Cup<br>and<br/>saucer', 'Cup and saucer'],
    ['<p>Cup</p><p>Saucer</p>', 'Cup Saucer'],
    ['Cup <script>alert(1)</script>of tea', 'Cup of tea'],
    ['Cup <style>b{}</style>of tea', 'Cup of tea'],
    ['Cup <!-- a comment --> of tea', 'Cup of tea'],
    ['Cup <img src=x onerror=alert(1)>', 'Cup'],
    ['Cup <img src=x onerror=alert(1)', 'Cup'],
    ['Salt &amp; Pepper', 'Salt & Pepper'],
    ['Salt &amp;amp; Pepper', 'Salt & Pepper'],
    ['Caf&eacute; &#8211; &#x41;', 'Café – A'],
    ['&lt;b&gt;Bold&lt;/b&gt; cup', 'Bold cup'],
    ['&amp;lt;b&amp;gt;Bold&amp;lt;/b&amp;gt; cup', 'Bold cup'],
    ['R&D for AT&T', 'R&D for AT&T'],
    ['a &copy b', 'a &copy b'],
    ['5 < 6 and 7 > 6', '5 < 6 and 7 > 6'],
    ['size <5 mm', 'size <5 mm'],
    ['a\u0000b\u0007c\u001bd\u009be', 'abcde'],
    ['so\u00adft zero\u200bwidth \ufeffmark', 'soft zerowidth mark'],
    ['\u202eevil\u202c \u2066iso\u2069 \u200fmark', 'evil iso mark'],
    ['lone \ud800 and \udc00 halves', 'lone and halves'],
    ['a pair 😀 stays', 'a pair 😀 stays'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['a\u{e0041}b', 'ab'],
    ['', ''],
    ['<br>', ''],
    ['\u200b', ''],
  ])('%j becomes %j', (text, clean) => {
    expect(cleanLine(text, 200)).toBe(clean);
  });

  it('is cut at its length, never inside a pair of surrogates', () => {
    expect(cleanLine('abcdef', 3)).toBe('abc');
    expect(cleanLine('ab😀', 3)).toBe('ab');
    expect(cleanLine('ab cd', 3)).toBe('ab');
    expect(cleanLine('x'.repeat(5_000_000), 500)).toHaveLength(500);
  });
});

describe('prose', () => {
  it('keeps its paragraphs, and an empty line at most between two', () => {
    expect(cleanProse('<p>One  two</p>\r\n\r\n\r\n<ul><li>three</li><li>four</li></ul>', 500)).toBe(
      'One two\n\nthree\n\nfour',
    );
  });

  it('has no spaces around its breaks', () => {
    expect(cleanProse('one \n\t two\u2028three', 500)).toBe('one\ntwo\nthree');
  });

  it('survives markup that never ends', () => {
    for (const piece of ['<', '<a ', '<!--', '<script>', '<p', '&lt;', '<a b=', '</', '<![', '&#']) {
      const text = piece.repeat(100_000);
      expect(cleanProse(text, 2_000).length).toBeLessThanOrEqual(2_000);
      expect(cleanLine(text, 200).length).toBeLessThanOrEqual(200);
    }
  });
});
