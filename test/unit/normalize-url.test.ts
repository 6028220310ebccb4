import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { canonicalDomain } from '../../src/engine/frontier/canonical-domain.ts';
import {
  hashUrlKey,
  MAX_URL_LENGTH,
  normalizeSerializedUrl,
  normalizeUrl,
} from '../../src/engine/frontier/normalize-url.ts';
import { isSessionParameter } from '../../src/engine/frontier/session-ids.ts';
import { isTrackingParameter, TRACKING_PARAMETERS } from '../../src/engine/frontier/tracking-parameters.ts';

function normalizeOk(input: string, options?: { stripTrailingSlash?: boolean }) {
  const normalized = normalizeUrl(input, options);
  if (normalized.kind === 'bad') throw new Error(`${input}: ${normalized.reason}`);
  return normalized;
}
const keyOf = (input: string, options?: { stripTrailingSlash?: boolean }) => normalizeOk(input, options).key;

describe('the key is one spelling for all spellings of a page', () => {
  test.each([
    // scheme, host, port
    ['HTTP://Example.COM/Path', 'http://example.com/Path'],
    ['http://example.com', 'http://example.com/'],
    ['http://example.com:80/', 'http://example.com/'],
    ['https://example.com:443/', 'https://example.com/'],
    ['http://example.com:443/', 'http://example.com:443/'],
    ['https://example.com:80/', 'https://example.com:80/'],
    ['http://example.com:/', 'http://example.com/'],
    ['http://example.com:0080/', 'http://example.com/'],
    ['http://example.com:8080/', 'http://example.com:8080/'],
    ['http://example.com./a', 'http://example.com/a'],
    ['http://example.com.:8080/a', 'http://example.com:8080/a'],
    ['http://user:secret@example.com/', 'http://example.com/'],
    ['http://user@example.com:8080/a@b', 'http://example.com:8080/a@b'],
    ['http://example.com/@user', 'http://example.com/@user'],
    // hosts in every costume
    ['http://MÜNCHEN.de/', 'http://xn--mnchen-3ya.de/'],
    ['http://xn--mnchen-3ya.de/', 'http://xn--mnchen-3ya.de/'],
    ['http://straße.de/', 'http://xn--strae-oqa.de/'],
    ['https://нэб.рф/', 'https://xn--90ax2c.xn--p1ai/'],
    ['http://example。com/', 'http://example.com/'],
    ['http://ex%61mple%2Ecom/', 'http://example.com/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://0177.0.0.1/', 'http://127.0.0.1/'],
    ['http://2130706433/', 'http://127.0.0.1/'],
    ['http://1.2.3.4./', 'http://1.2.3.4/'],
    ['http://[2001:DB8:0:0:0:0:0:1]:80/', 'http://[2001:db8::1]/'],
    ['http://[::1]:8080/x', 'http://[::1]:8080/x'],
    ['http://user:pass@[::1]/x', 'http://[::1]/x'],
    // the URL standard's leniency
    ['http:example.com', 'http://example.com/'],
    ['http:/example.com/a', 'http://example.com/a'],
    ['http:\\\\example.com\\a\\b', 'http://example.com/a/b'],
    ['  http://example.com/  ', 'http://example.com/'],
    ['ht\ntp://exa\tmple.com/a\rb', 'http://example.com/ab'],
    ['http://example.com/a b', 'http://example.com/a%20b'],
    ['http://example.com/?q=a b', 'http://example.com/?q=a%20b'],
    ['http://example.com/é', 'http://example.com/%C3%A9'],
    // dot segments
    ['http://example.com/a/./b/../c', 'http://example.com/a/c'],
    ['http://example.com/../../a', 'http://example.com/a'],
    ['http://example.com/a/%2e%2E/b', 'http://example.com/b'],
    ['http://example.com/a/..', 'http://example.com/'],
    ['http://example.com/a..b/...', 'http://example.com/a..b/...'],
    // fragments
    ['http://example.com/#top', 'http://example.com/'],
    ['http://example.com/a?b=1#c?d=2', 'http://example.com/a?b=1'],
    ['http://example.com#?a', 'http://example.com/'],
    // percent-encoding
    ['http://example.com/%7euser/%41%2d%5f', 'http://example.com/~user/A-_'],
    ['http://example.com/a%2fb', 'http://example.com/a%2Fb'],
    ['http://example.com/%c3%a9', 'http://example.com/%C3%A9'],
    ['http://example.com/%23%3f%26', 'http://example.com/%23%3F%26'],
    ['http://example.com/?q=%2b%20+%26', 'http://example.com/?q=%2B%20+%26'],
    ['http://example.com/?%71=%31', 'http://example.com/?q=1'],
    ['http://example.com/100%', 'http://example.com/100%'],
    ['http://example.com/%zz%4', 'http://example.com/%zz%4'],
    ['http://example.com/%%34%31', 'http://example.com/%%341'],
    ['http://example.com/%4%31', 'http://example.com/%4%31'],
    ['http://example.com/%2541', 'http://example.com/%2541'],
    ['http://example.com/%00', 'http://example.com/%00'],
    ['http://example.com/?a[]=1&b={x|y}', 'http://example.com/?a%5B%5D=1&b=%7Bx%7Cy%7D'],
    ['http://example.com/[x]^`|', 'http://example.com/%5Bx%5D%5E%60%7C'],
    // query
    ['http://example.com/?', 'http://example.com/'],
    ['http://example.com?b=2&a=1', 'http://example.com/?a=1&b=2'],
    ['http://example.com/?&&a=1&&', 'http://example.com/?a=1'],
    ['http://example.com/?b&a=&a', 'http://example.com/?a=&a&b'],
    ['http://example.com/?a=2&b=0&a=1', 'http://example.com/?a=2&a=1&b=0'],
    ['http://example.com/?a=1=2&a?=3', 'http://example.com/?a=1=2&a?=3'],
    ['http://example.com/?a10=1&a=2&B=3', 'http://example.com/?B=3&a=2&a10=1'],
    ['http://example.com/?q=tl;dr', 'http://example.com/?q=tl;dr'],
    ['http://example.com/?/category/3', 'http://example.com/?/category/3'],
    // duplicate slashes may be significant
    ['http://example.com//a///b//', 'http://example.com//a///b//'],
  ])('%s → %s', (input, key) => {
    expect(keyOf(input)).toBe(key);
  });
});

describe('tracking parameters', () => {
  test.each([
    ['http://e.com/?utm_source=a&utm_medium=b', 'http://e.com/'],
    ['http://e.com/?id=5&UTM_Campaign=x&page=2', 'http://e.com/?id=5&page=2'],
    ['http://e.com/?ref=home&source=mail&a=1', 'http://e.com/?a=1'],
    ['http://e.com/?utm%5Fsource=a', 'http://e.com/'],
    ['http://e.com/?gclid', 'http://e.com/'],
    ['http://e.com/p?fbclid=IwAR&msclkid=1&mc_cid=2&mc_eid=3&_ga=4&_gl=5&igshid=6', 'http://e.com/p'],
  ])('leave the key: %s → %s', (input, key) => {
    expect(keyOf(input)).toBe(key);
  });

  test.each([
    'http://e.com/?reference=1',
    'http://e.com/?sources=1',
    'http://e.com/?utm=1',
    'http://e.com/?q=utm_source',
    'http://e.com/?campaign=1&cid=2',
  ])('do not take similar names with them: %s', (input) => {
    expect(keyOf(input)).toBe(input);
  });

  test('stay in the URL that is requested', () => {
    const input = 'http://e.com/?utm_source=a&b=%41&a=1';
    expect(normalizeOk(input).url).toBe(input);
  });

  test('are listed in lower case, since names are compared so', () => {
    for (const name of TRACKING_PARAMETERS) expect(name).toBe(name.toLowerCase());
  });
});

describe('session ids leave the key', () => {
  test.each([
    ['http://e.com/a;jsessionid=0A1B2C.node1', 'http://e.com/a'],
    ['http://e.com/a;JSESSIONID=1/b;v=2;jsessionid=3?x=1', 'http://e.com/a/b;v=2?x=1'],
    ['http://e.com/;jsessionid=1', 'http://e.com/'],
    ['http://e.com/a/b/..;jsessionid=1', 'http://e.com/a/'],
    ['http://e.com/a/%2e%2e;jsessionid=1/c', 'http://e.com/c'],
    ['http://e.com/?PHPSESSID=abc&a=1', 'http://e.com/?a=1'],
    ['http://e.com/?sid=cdc993a493e899bed04f4d0c8a462a03', 'http://e.com/'],
    ['http://e.com/(S(lit3py55t21z5v55vlm25s55))/page.aspx', 'http://e.com/page.aspx'],
    ['http://e.com/(S(lit3py55t21z5v55vlm25s55))', 'http://e.com/'],
    ['http://e.com/?sid=5', 'http://e.com/?sid=5'],
    ['http://e.com/a;v=1', 'http://e.com/a;v=1'],
    ['http://e.com/a_(b)/(c)', 'http://e.com/a_(b)/(c)'],
  ])('%s → %s', (input, key) => {
    expect(keyOf(input)).toBe(key);
  });
});

describe('the URL that is requested', () => {
  test.each([
    ['http://Example.com./a/%7Eb?b=2&a=1#c', 'http://example.com./a/%7Eb?b=2&a=1'],
    ['http://example.com/?', 'http://example.com/?'],
    ['http://user:secret@example.com/a', 'http://example.com/a'],
    ['http://example.com/a;jsessionid=1', 'http://example.com/a;jsessionid=1'],
  ])('is as found, but without fragment and credentials: %s → %s', (input, url) => {
    expect(normalizeOk(input).url).toBe(url);
  });
});

describe('trailing slashes', () => {
  test('are kept unless asked', () => {
    expect(keyOf('http://e.com/a/')).toBe('http://e.com/a/');
    expect(keyOf('http://e.com/a/', { stripTrailingSlash: false })).toBe('http://e.com/a/');
  });

  test.each([
    ['http://e.com/a/', 'http://e.com/a'],
    ['http://e.com/a//', 'http://e.com/a'],
    ['http://e.com/', 'http://e.com/'],
    ['http://e.com//', 'http://e.com/'],
    ['http://e.com/a/?b=/', 'http://e.com/a?b=/'],
  ])('go when asked, but for the root: %s → %s', (input, key) => {
    expect(keyOf(input, { stripTrailingSlash: true })).toBe(key);
    expect(keyOf(key, { stripTrailingSlash: true })).toBe(key);
  });
});

describe('what cannot be crawled is refused with its reason', () => {
  test.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['example.com/a', 'not an absolute URL'],
    ['/a/b', 'not an absolute URL'],
    ['//example.com/', 'not an absolute URL'],
    ['mailto:a@example.com', 'scheme mailto: is not'],
    ['ftp://example.com/', 'scheme ftp: is not'],
    ['JavaScript:alert(1)', 'scheme javascript: is not'],
    ['localhost:8001/a', 'scheme localhost: is not'],
    ['http://', 'host or port'],
    ['http:////', 'host or port'],
    ['http://example.com:99999/', 'host or port'],
    ['http://exa mple.com/', 'host or port'],
    ['http://[::1', 'host or port'],
    ['http://[::1]./', 'host or port'],
    ['http://1.2.3.256/', 'host or port'],
    ['http://abc%FEdef.org/', 'host or port'],
    [`http://example.com/${'a'.repeat(MAX_URL_LENGTH)}`, 'longer than'],
    [`http://example.com/${'é'.repeat(MAX_URL_LENGTH / 4)}`, 'longer than'],
  ])('%s', (input, reason) => {
    const normalized = normalizeUrl(input);
    expect(normalized.kind).toBe('bad');
    expect(normalized.kind === 'bad' && normalized.reason).toContain(reason);
  });

  test('a fragment does not count towards the length', () => {
    expect(keyOf(`http://example.com/a#${'b'.repeat(MAX_URL_LENGTH)}`)).toBe('http://example.com/a');
  });
});

describe('for any URL', () => {
  const samples = makeSamples(4000);

  test('the samples exercise the rules', () => {
    const changed = samples.filter((sample) => normalizeOk(sample).key !== normalizeOk(sample).url);
    expect(changed.length).toBeGreaterThan(samples.length / 4);
  });

  test('normalising the key again changes nothing', () => {
    for (const options of [{ stripTrailingSlash: false }, { stripTrailingSlash: true }]) {
      for (const sample of samples) {
        const key = keyOf(sample, options);
        expect(normalizeOk(key, options), sample).toEqual({ kind: 'ok', url: key, key });
      }
    }
  });

  test('the requested URL and the key have the same key', () => {
    for (const sample of samples) expect(keyOf(normalizeOk(sample).url), sample).toBe(keyOf(sample));
  });

  test('the key keeps every parameter that is neither tracking nor session, in order within its name', () => {
    for (const sample of samples) {
      const { url, key } = normalizeOk(sample);
      expect(readParameters(key), sample).toEqual(readParameters(url));
    }
  });

  test('the key names the same domain and scheme', () => {
    for (const sample of samples) {
      const { url, key } = normalizeOk(sample);
      expect(canonicalDomain(key), sample).toBe(canonicalDomain(url));
      expect(new URL(key).protocol).toBe(new URL(url).protocol);
    }
  });

  test('skipping the parse of serialised text gives the same result', () => {
    for (const sample of samples) {
      expect(normalizeSerializedUrl(new URL(sample).href), sample).toEqual(normalizeUrl(sample));
    }
  });
});

test('the hash is the SHA-256 of the key', () => {
  const key = 'http://example.com/?q=%C3%A9';
  expect(hashUrlKey(key).equals(createHash('sha256').update(key).digest())).toBe(true);
  expect(hashUrlKey(key)).toHaveLength(32);
});

/** Decoded parameters by name, so that spelling is out of the comparison. */
function readParameters(url: string): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const [name, value] of new URL(url).searchParams) {
    if (name === '' && value === '') continue;
    if (isTrackingParameter(name) || isSessionParameter(name, value)) continue;
    byName.set(name, [...(byName.get(name) ?? []), value]);
  }
  return new Map([...byName].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** URLs of awkward pieces in random order; the same ones every time. */
function makeSamples(count: number): string[] {
  const random = makeRandom(20240512);
  const pick = (pieces: readonly string[]) => pieces[Math.floor(random() * pieces.length)] ?? '';
  const join = (pieces: readonly string[], max: number) =>
    Array.from({ length: Math.floor(random() * (max + 1)) }, () => pick(pieces)).join('');
  const origins = [
    'http://e.com',
    'HTTPS://E.com:443',
    'http://e.com.:81',
    'http://u:p@www.é.com',
    'http://[::1]',
  ];
  const pathPieces = [
    '/',
    '/',
    '//',
    '.',
    '..',
    '%2e',
    '%',
    '%4',
    '%41',
    '%2f',
    '%34',
    '1',
    'a',
    'b;',
    ';jsessionid=1',
    ';sid=',
    '~',
    '[',
    '|',
    "'",
    ' ',
    'é',
    '\\',
    '(S(x1))',
    '/(S(x1))',
    '\t',
    ':',
    '@',
    '"',
    '^',
    '=',
    '&',
    '%7e',
    '%c3',
    '+',
  ];
  const queryPieces = [
    '&',
    '&',
    '=',
    'a=1',
    'b',
    'a',
    'utm_source=x',
    'ref=',
    'sid=cdc993a493e899bed04f4d0c8a462a03',
    '%',
    '%3',
    '%33',
    '%26',
    '%61',
    '%3d',
    '+',
    ' ',
    ';',
    '?',
    '/',
    'é',
    "'",
    '[]',
    '|',
    '\\',
    '{',
    '`',
    '%5b',
    '\n',
    'PHPSESSID=1',
    '%2B',
  ];
  return Array.from({ length: count }, () => {
    const query = random() < 0.7 ? `?${join(queryPieces, 8)}` : '';
    const fragment = random() < 0.2 ? '#f?/&' : '';
    return `${pick(origins)}/${join(pathPieces, 8)}${query}${fragment}`;
  });
}

function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
