import { beforeEach, describe, expect, it } from 'vitest';
import {
  considerUrl,
  type FoundLinks,
  findLinks,
  type LinkContext,
} from '../../src/engine/frontier/find-links.ts';
import { makeScope } from '../../src/engine/frontier/scope.ts';
import { SeenFilter } from '../../src/engine/frontier/seen-filter.ts';
import { TemplateLedger } from '../../src/engine/frontier/template-ledger.ts';

const BASE = 'https://a.example/shop/list';
let tallies: Map<string, number>;
let context: LinkContext;
beforeEach(() => {
  tallies = new Map();
  context = {
    scope: makeScope({
      scope: 'domain',
      seeds: ['a.example'],
      include: [],
      exclude: [/\/no\//],
      maxDepth: 3,
    }),
    seen: new SeenFilter(),
    templates: new TemplateLedger(),
    stripTrailingSlash: false,
    domain: 'a.example',
    tally: (name) => void tallies.set(name, (tallies.get(name) ?? 0) + 1),
  };
});

const link = (href: string, isNofollow = false) => ({ href, isNofollow, kind: 'anchor' as const });
const find = (hrefs: readonly string[], depth = 1, base = BASE): FoundLinks =>
  findLinks(
    hrefs.map((href) => link(href)),
    base,
    depth,
    context,
  );
const ownUrls = (found: FoundLinks): string[] => found.own.map(({ url }) => url);

describe('findLinks', () => {
  it('resolves links against the page, once each, whatever way they are written', () => {
    const hrefs = [
      '/x',
      'y',
      '../z',
      'https://a.example/x',
      '/x#part',
      '//a.example/x',
      '?page=2',
      '#top',
      '/x',
    ];
    expect(ownUrls(find(hrefs))).toEqual([
      'https://a.example/x',
      'https://a.example/shop/y',
      'https://a.example/z',
      'https://a.example/shop/list?page=2',
    ]);
  });

  it('the same relative link on a page in another folder is another link', () => {
    expect(ownUrls(find(['y']))).toEqual(['https://a.example/shop/y']);
    expect(ownUrls(find(['y'], 1, 'https://a.example/blog/post'))).toEqual(['https://a.example/blog/y']);
    expect(ownUrls(find(['y']))).toEqual([]);
  });

  it('keeps links into other domains in scope apart, and counts what is outside', () => {
    const found = find(['https://b.a.example/1', 'https://b.a.example/2', 'https://else.example/']);
    expect(found.own).toEqual([]);
    expect([...found.foreign].map(([domain, list]) => [domain, list.length])).toEqual([['b.a.example', 2]]);
    expect(tallies.get('skip:scope')).toBe(1);
  });

  it('passes over nofollow links, and takes the same link where it is followed', () => {
    const found = findLinks([link('/x', true), link('/y', true), link('/x')], BASE, 1, context);
    expect(ownUrls(found)).toEqual(['https://a.example/x']);
    expect(tallies.get('skip:nofollow')).toBe(2);
  });

  it('a link that was only too deep is admitted from a page nearer to the seed', () => {
    expect(ownUrls(find(['/deep'], 4))).toEqual([]);
    expect(tallies.get('skip:depth')).toBe(1);
    expect(ownUrls(find(['/deep'], 3))).toEqual(['https://a.example/deep']);
  });

  it('counts what filters and traps refuse', () => {
    const repeating = `/${'a/b/'.repeat(8)}`;
    expect(ownUrls(find(['/no/1', repeating, 'mailto:x@a.example', 'javascript:void(0)']))).toEqual([]);
    expect(tallies.get('skip:exclude')).toBe(1);
    expect(tallies.get('skip:trap')).toBe(1);
  });

  it('forgetting brings every link back', () => {
    find(['/x']);
    expect(ownUrls(find(['/x']))).toEqual([]);
    context.seen.clear();
    expect(ownUrls(find(['/x']))).toEqual(['https://a.example/x']);
  });
});

describe('considerUrl', () => {
  const empty = (): FoundLinks => ({ own: [], foreign: new Map() });

  it('what a seed redirects to is admitted outside the scope too, as a seed', () => {
    const found = empty();
    considerUrl('https://moved.example/', 0, context, found, { isSeed: true, redirectCount: 1 });
    expect(found.foreign.get('moved.example')).toMatchObject([
      { isSeed: true, redirectCount: 1, priority: 3 },
    ]);
  });

  it('what a sitemap lists is no trap, and has no account of its shape', () => {
    const found = empty();
    for (let n = 0; n < 500; n += 1) {
      const url = `https://a.example/events/${1900 + Math.floor(n / 12)}/${(n % 12) + 1}`;
      considerUrl(url, 1, context, found, { isListed: true });
    }
    expect(found.own).toHaveLength(500);
    expect(found.own.every(({ template }) => template === undefined)).toBe(true);
  });

  it('requests a URL as it was found and knows it by its key', () => {
    const found = empty();
    considerUrl('https://a.example/p?utm_source=x&b=2&a=1', 1, context, found);
    expect(ownUrls(found)[0]).toContain('utm_source=x');
    considerUrl('https://a.example/p?a=1&b=2', 1, context, found);
    expect(found.own).toHaveLength(1);
  });
});
