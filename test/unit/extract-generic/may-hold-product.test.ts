import { describe, expect, it } from 'vitest';
import { mayHoldProduct } from '../../../src/engine/extract/generic/may-hold-product.ts';
import { BUY_TEXT } from '../../../src/engine/extract/generic/visible/shop-words.ts';

/** All texts that a pattern of alternatives, groups, classes and `?` stands for. */
function expand(pattern: string): string[] {
  let at = 0;
  const alternatives = (): string[] => {
    const found: string[] = [];
    let texts = [''];
    while (at < pattern.length && pattern[at] !== ')') {
      if (pattern[at] === '|') {
        at++;
        found.push(...texts);
        texts = [''];
        continue;
      }
      const next = atom();
      texts = texts.flatMap((text) => next.map((one) => text + one));
    }
    return [...found, ...texts];
  };
  const atom = (): string[] => {
    let next: string[];
    if (pattern.startsWith('(?:', at)) {
      at += 3;
      next = alternatives();
      at++;
    } else if (pattern[at] === '[') {
      const end = pattern.indexOf(']', at);
      next = [...pattern.slice(at + 1, end)];
      at = end + 1;
    } else {
      const letter = pattern[at] as string;
      next = [letter === '^' || letter === '$' ? '' : letter];
      at++;
    }
    if (pattern[at] !== '?') return next;
    at++;
    return [...next, ''];
  };
  return alternatives();
}

describe('mayHoldProduct', () => {
  it('dismisses no page on which something is pressed to buy', () => {
    const texts = expand(BUY_TEXT.source);
    expect(texts.length).toBeGreaterThan(100);
    const dismissed = texts
      .flatMap((text) => [text, (text[0] ?? '').toUpperCase() + text.slice(1), text.toUpperCase()])
      .filter((text) => !mayHoldProduct(Buffer.from(`<p>1</p><button>${text}</button>`)));
    expect(dismissed).toEqual([]);
  });

  it.each(['<input value="Buy">', '<a>\n  Buy\n</a>', '<a>Purchase</a>'])('takes %j for a shop', (html) => {
    expect(mayHoldProduct(Buffer.from(html))).toBe(true);
  });

  it('dismisses a page without any', () => {
    expect(mayHoldProduct(Buffer.from('<h1>News of the day</h1><p>It rains.</p>'))).toBe(false);
  });
});
