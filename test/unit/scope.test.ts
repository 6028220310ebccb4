import { describe, expect, test } from 'vitest';
import { compilePattern, makeScope, type ScopeOptions } from '../../src/engine/frontier/scope.ts';

const DEFAULTS: ScopeOptions = {
  scope: 'host',
  seeds: ['example.com'],
  include: [],
  exclude: [],
  maxDepth: 10,
};
const make = (options: Partial<ScopeOptions>) => makeScope({ ...DEFAULTS, ...options });
const ADMITTED = { admitted: true };
const refused = (reason: string) => ({ admitted: false, reason });

describe('the kind of scope decides which domains belong to a crawl', () => {
  test.each([
    ['host', 'example.com', true],
    ['host', 'blog.example.com', false],
    ['host', 'example.com:8080', false],
    ['host', 'notexample.com', false],
    ['domain', 'example.com', true],
    ['domain', 'blog.example.com', true],
    ['domain', 'example.com:8080', true],
    ['domain', 'notexample.com', false],
    ['domain', 'example.org', false],
    ['any', 'other.org', true],
  ] as const)('%s: %s → %s', (scope, domain, isAdmitted) => {
    const verdict = make({ scope }).admits(`http://${domain}/`, domain, 1);
    expect(verdict).toEqual(isAdmitted ? ADMITTED : refused('scope'));
  });

  test('a subdomain as seed opens its whole registrable domain under `domain`', () => {
    const scope = make({ scope: 'domain', seeds: ['shop.example.co.uk'] });
    expect(scope.admits('http://example.co.uk/', 'example.co.uk', 1)).toEqual(ADMITTED);
    expect(scope.admits('http://other.co.uk/', 'other.co.uk', 1)).toEqual(refused('scope'));
  });

  test('neighbours on a shared hosting suffix are other sites', () => {
    const scope = make({ scope: 'domain', seeds: ['me.github.io'] });
    expect(scope.admits('http://you.github.io/', 'you.github.io', 1)).toEqual(refused('scope'));
  });

  test('a seed that redirects elsewhere widens the scope', () => {
    const scope = make({});
    expect(scope.admits('http://new.example/', 'new.example', 0)).toEqual(refused('scope'));
    scope.addSeedDomain('new.example');
    expect(scope.admits('http://new.example/a', 'new.example', 1)).toEqual(ADMITTED);
    expect(scope.admits('http://example.com/a', 'example.com', 1)).toEqual(ADMITTED);
  });

  test('seeds are recognised in any spelling', () => {
    expect(make({ seeds: ['WWW.Example.com'] }).admits('http://example.com/', 'example.com', 1)).toEqual(
      ADMITTED,
    );
  });
});

describe('patterns', () => {
  const include = [/\/docs\//, /\/blog\//];
  const exclude = [/\.pdf$/];

  test('include asks a discovered URL to match one of them', () => {
    const scope = make({ include });
    expect(scope.admits('http://example.com/blog/a', 'example.com', 1)).toEqual(ADMITTED);
    expect(scope.admits('http://example.com/shop/a', 'example.com', 1)).toEqual(refused('include'));
  });

  test('include does not hold back a seed, exclude does', () => {
    const scope = make({ include, exclude });
    expect(scope.admits('http://example.com/', 'example.com', 0)).toEqual(ADMITTED);
    expect(scope.admits('http://example.com/a.pdf', 'example.com', 0)).toEqual(refused('exclude'));
  });

  test('exclude wins over include', () => {
    const scope = make({ include, exclude });
    expect(scope.admits('http://example.com/docs/a.pdf', 'example.com', 1)).toEqual(refused('exclude'));
  });

  test('a global pattern answers the same every time', () => {
    const scope = make({ include: [/docs/g], exclude: [/pdf/y] });
    for (let round = 0; round < 3; round++) {
      expect(scope.admits('http://example.com/docs', 'example.com', 1)).toEqual(ADMITTED);
    }
  });
});

test('depth is admitted up to the limit and not beyond', () => {
  const scope = make({ maxDepth: 2 });
  expect(scope.admits('http://example.com/', 'example.com', 2)).toEqual(ADMITTED);
  expect(scope.admits('http://example.com/', 'example.com', 3)).toEqual(refused('depth'));
});

describe('a pattern as typed', () => {
  test('is a regular expression found anywhere in the URL', () => {
    const compiled = compilePattern('/blog/\\d+');
    expect(compiled.kind === 'ok' && compiled.pattern.test('http://e.com/blog/12?x')).toBe(true);
    expect(compiled.kind === 'ok' && compiled.pattern.test('http://e.com/Blog/12')).toBe(false);
  });

  test.each([
    ['', 'empty'],
    ['(', 'not a regular expression'],
    ['a'.repeat(1001), 'longer'],
  ])('is refused with a sentence: %s', (text, message) => {
    const compiled = compilePattern(text);
    expect(compiled.kind === 'bad' && compiled.message).toContain(message);
  });
});
