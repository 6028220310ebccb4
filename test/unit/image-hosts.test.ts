/** Other hosts are taken from a page, and from all pages of a domain, only so far. */
import { expect, test } from 'vitest';
import type { FoundLinks, LinkContext } from '../../src/engine/frontier/find-links.ts';
import { makeScope } from '../../src/engine/frontier/scope.ts';
import { SeenFilter } from '../../src/engine/frontier/seen-filter.ts';
import { TemplateLedger } from '../../src/engine/frontier/template-ledger.ts';
import { findImages, followImage } from '../../src/engine/images/find-images.ts';
import { ImageHosts, MOST_HOSTS_OF_DOMAIN, MOST_HOSTS_OF_PAGE } from '../../src/engine/images/image-hosts.ts';

function openHunt() {
  const tallies = new Map<string, number>();
  const links: LinkContext = {
    scope: makeScope({ scope: 'host', include: [], exclude: [], maxDepth: 10, seeds: ['shop.example'] }),
    seen: new SeenFilter(1000, 1 << 12),
    templates: new TemplateLedger(),
    stripTrailingSlash: false,
    domain: 'shop.example',
    imagesMode: 'all',
    imageHosts: new ImageHosts(MOST_HOSTS_OF_DOMAIN),
    tally: (name, count = 1) => void tallies.set(name, (tallies.get(name) ?? 0) + count),
  };
  const found: FoundLinks = { own: [], foreign: new Map() };
  const show = (urls: readonly string[]): string[] =>
    findImages(
      {
        baseUrl: 'https://shop.example/',
        images: { found: urls.map((url) => ({ url, alt: undefined })), inlineCount: 0, pixelCount: 0 },
      },
      undefined,
      { mode: 'all', limit: 1000, depth: 0, links, found },
    ).map(({ url }) => url);
  return { show, found, tallies, links };
}

const hosts = (count: number, first = 0): string[] =>
  Array.from({ length: count }, (_, n) => `https://cdn${first + n}.example/a.png`);

test('of a page that names a thousand hosts a few are asked, and its own images all', () => {
  const { show, found, tallies } = openHunt();
  const shown = show([
    ...hosts(900),
    '/own.png',
    'https://cdn0.example/b.png',
    'https://cdn899.example/b.png',
  ]);
  expect(found.foreign.size).toBe(MOST_HOSTS_OF_PAGE);
  expect(shown).toEqual([
    ...hosts(MOST_HOSTS_OF_PAGE),
    'https://shop.example/own.png',
    'https://cdn0.example/b.png',
  ]);
  expect(tallies.get('skip:image-hosts')).toBe(900 - MOST_HOSTS_OF_PAGE + 1);
});

test('a thousand pages with hosts of their own bring no more than so many; those that are known go on', () => {
  const { show, found } = openHunt();
  for (let page = 0; page < 1000; page += 1) show(hosts(5, page * 5));
  expect(found.foreign.size).toBe(MOST_HOSTS_OF_DOMAIN);
  expect(show(['https://cdn3.example/new.png', 'https://late.example/new.png'])).toEqual([
    'https://cdn3.example/new.png',
  ]);
});

test('images that move are no way around it', () => {
  const { found, links } = openHunt();
  const from = { hash: Buffer.alloc(16), depth: 0, redirectCount: 0 };
  for (const url of hosts(300)) followImage(url, from, links, found);
  expect(found.foreign.size).toBe(MOST_HOSTS_OF_DOMAIN);
  expect(followImage('https://shop.example/moved.png', from, links, found)).toBeDefined();
});
