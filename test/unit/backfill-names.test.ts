/**
 * Strict names: whatever is thrown at it, the canonical domain of a canonical domain is itself, and nothing writes a
 * row of domains under a name from elsewhere.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { canonicalDomain, registrableDomain } from '../../src/engine/frontier/canonical-domain.ts';

/** Numbers that look random and are the same every time. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const PIECES = [
  ...[
    'www',
    'WWW',
    'http',
    'https',
    'wWw',
    'example',
    'EXAMPLE',
    'com',
    'co',
    'uk',
    'github',
    'io',
    'localhost',
    'a',
    'xn--',
    'xn--a',
  ],
  ...[
    'münchen',
    'MÜNCHEN',
    'mu\u0308nchen',
    'xn--mnchen-3ya',
    'straße',
    'ẞ',
    'İstanbul',
    'ı',
    'ﬁ',
    '１',
    'ｗｗｗ',
    '中国',
  ],
  ...[
    '例え',
    'テスト',
    'مثال',
    'עברית',
    '\u0644\u0627',
    'faß',
    'ς',
    '☃',
    '👍',
    'a\u200db',
    '\u00ad',
    '\u200b',
    '_dmarc',
    '-',
    '--',
  ],
  ...[
    '.',
    '..',
    '。',
    '．',
    '｡',
    ':',
    ':80',
    ':443',
    ':8080',
    ':0',
    ':00080',
    ':65535',
    ':65536',
    ':99999',
    '@',
    'user:pw@',
  ],
  ...[
    '/',
    '//',
    '\\',
    '?',
    '#',
    '%',
    '%2e',
    '%41',
    '%77ww.',
    '%00',
    '%zz',
    ' ',
    '\t',
    '\n',
    '\u0000',
    '\u001f',
    '\u007f',
  ],
  ...[
    'http:',
    'https:',
    'HTTP://',
    'https://',
    'http:\\\\',
    'ftp://',
    'javascript:',
    'mailto:',
    'file:///',
    'data:,',
  ],
  ...[
    '127.0.0.1',
    '0x7f.1',
    '017700000001',
    '2130706433',
    '1.2',
    '256.1.1.1',
    '[::1]',
    '[::ffff:1.2.3.4]',
    '[1:2',
    '[v1.a]',
  ],
  ...[
    'a'.repeat(63),
    'b'.repeat(64),
    'abcdefg.'.repeat(31),
    '\ud800',
    '\udfff',
    '\ufffd',
    '"',
    "'",
    '<',
    '|',
    '^',
    '`',
    '{',
    ',',
    ';',
  ],
];

function hostileInputs(count: number): string[] {
  const random = makeRandom(20_260_301);
  return Array.from({ length: count }, () => {
    const length = 1 + random(7);
    const joint = ['', '.', ''][random(3)] ?? '';
    return Array.from({ length }, () => PIECES[random(PIECES.length)] ?? '').join(joint);
  });
}

describe('the canonical domain of hostile input', () => {
  const named = hostileInputs(60_000).flatMap((input) => {
    const domain = canonicalDomain(input);
    return domain === undefined ? [] : [{ input, domain }];
  });

  test('is found often enough for this to mean something', () => {
    expect(named.length).toBeGreaterThan(5000);
    expect(new Set(named.map(({ domain }) => domain)).size).toBeGreaterThan(2000);
  });

  test('is its own canonical domain, bare, in a URL and as a URL', () => {
    const unstable = named.filter(
      ({ domain }) =>
        canonicalDomain(domain) !== domain ||
        canonicalDomain(`http://${domain}`) !== domain ||
        canonicalDomain(`https://${domain}/a?b#c`) !== domain ||
        canonicalDomain(new URL(`http://${domain}/`)) !== domain,
    );
    expect(unstable).toEqual([]);
  });

  test('is the same however it is spelt', () => {
    const torn = named.filter(({ domain }) => {
      const isAddress = /^[\d.]+(?::\d+)?$|^\[/.test(domain);
      const dotted = domain.replace(/(?::\d+)?$/, (port) => `.${port}`);
      const spellings = [domain.toUpperCase(), ...(isAddress ? [] : [dotted])];
      if (!/:\d+$/.test(domain)) spellings.push(`${domain}:80`, `${domain}:443`);
      return spellings.some((spelling) => canonicalDomain(spelling) !== domain);
    });
    expect(torn).toEqual([]);
  });

  test('fits the column, and holds nothing but what a host and a port are made of', () => {
    const misfits = named.filter(
      ({ domain }) =>
        domain.length > 260 ||
        domain.length < 1 ||
        !/^(?:\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\%A-Z\u0080-\uffff]+)(?::\d+)?$/.test(domain),
    );
    expect(misfits).toEqual([]);
  });

  test('belongs to a registrable domain that belongs to itself', () => {
    const lost = named.filter(({ domain }) => {
      const parent = registrableDomain(domain);
      return registrableDomain(parent) !== parent;
    });
    expect(lost).toEqual([]);
  });
});

describe('rows of domains', () => {
  const root = path.resolve(import.meta.dirname, '..', '..', 'src');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|sql)$/.test(file))
    .map((file) => ({
      file: file.split(path.sep).join('/'),
      text: readFileSync(path.join(root, file), 'utf8'),
    }));

  /** Every statement that writes a name, and how the name gets there. A new one needs the same care. */
  test('get their names from the canonical domain alone', () => {
    const writers = sources
      .filter(
        ({ text }) =>
          /insert\s+into\s+domains\b/i.test(text) ||
          /update\s+domains\b[^;]*?\bset\s+(?:[^;]*?,\s*)?domain\s*=/i.test(text),
      )
      .map(({ file }) => file)
      .sort();
    expect(writers).toEqual([
      // canonicalDomain of the URL a stray row holds (stray-rows.ts)
      'control/backfill/insert-domains.sql',
      // canonicalDomain of the name a row had (merge-domains.ts)
      'control/backfill/rename-domains.sql',
      // canonicalDomain of a seed (seeds.ts), through create-domain.ts
      'control/domains/add-domain.sql',
      // canonicalDomain of a link or seed (find-links.ts, seeds.ts), through admit-into-domains.ts
      'engine/frontier/upsert-domains.sql',
      // canonicalDomain of a seed (seeds.ts), through store-seeds.ts
      'engine/seeds/add-seeded-domains.sql',
      // canonicalDomain of a page that was ordered (task-domains.ts), or that a task was redirected to (follow-moves.ts)
      'engine/tasks/add-task-domains.sql',
    ]);
  });
});
