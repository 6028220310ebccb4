import { describe, expect, test } from 'vitest';
import {
  type RobotsDirectives,
  readRobotsDirectives,
} from '../../src/engine/politeness/robots-directives.ts';

const NOW = new Date('2025-06-01T12:00:00Z');

/** The directives in force, by their short names. */
function read(metas: Array<[name: string, content: string]>, headerValues: string[] = []): string[] {
  const found: RobotsDirectives = readRobotsDirectives({
    metas: metas.map(([name, content]) => ({ name, content })),
    headerValues,
    productToken: 'Forager',
    now: NOW,
  });
  return [
    ...(found.isNoindex ? ['noindex'] : []),
    ...(found.isNofollow ? ['nofollow'] : []),
    ...(found.isNoarchive ? ['noarchive'] : []),
  ];
}

describe('a robots meta', () => {
  test.each<[string, string[]]>([
    ['noindex', ['noindex']],
    ['nofollow', ['nofollow']],
    ['noarchive', ['noarchive']],
    ['nocache', ['noarchive']],
    ['none', ['noindex', 'nofollow']],
    ['NoIndex,NOFOLLOW', ['noindex', 'nofollow']],
    [' noindex , noarchive ', ['noindex', 'noarchive']],
    ['noindex nofollow', ['noindex', 'nofollow']],
    ['noindex;nofollow', ['noindex', 'nofollow']],
    ['all', []],
    ['index, follow', []],
    ['index, noindex', ['noindex']],
    ['nosnippet, noimageindex, notranslate, max-snippet:-1, max-image-preview:large', []],
    ['max-snippet: 0, noindex', ['noindex']],
    ['noindexed', []],
    ['', []],
    [',,;', []],
  ])('of %j asks for %j', (content, expected) => {
    expect(read([['robots', content]])).toEqual(expected);
  });

  test('counts when it names everyone or us, in any case', () => {
    expect(read([['ROBOTS', 'noindex']])).toEqual(['noindex']);
    expect(read([['forager', 'nofollow']])).toEqual(['nofollow']);
    expect(read([['FORAGER', 'nofollow']])).toEqual(['nofollow']);
    expect(read([['googlebot', 'noindex, nofollow']])).toEqual([]);
    expect(read([['foragers', 'noindex']])).toEqual([]);
  });

  test('adds to the others: the strictest wins', () => {
    expect(
      read([
        ['robots', 'noindex'],
        ['forager', 'index, nofollow'],
        ['robots', 'all'],
      ]),
    ).toEqual(['noindex', 'nofollow']);
  });
});

describe('an X-Robots-Tag', () => {
  test.each<[string, string[]]>([
    ['noindex', ['noindex']],
    ['noindex, nofollow', ['noindex', 'nofollow']],
    ['forager: noindex', ['noindex']],
    ['Forager: noindex, nofollow', ['noindex', 'nofollow']],
    ['googlebot: noindex, nofollow', []],
    ['googlebot: noindex, forager: nofollow', ['nofollow']],
    ['noarchive, googlebot: noindex, nofollow', ['noarchive']],
    ['googlebot: noindex, *: nofollow', ['nofollow']],
    ['robots: noindex', ['noindex']],
    ['googlebot:nofollow', []],
    ['googlebot : nofollow', []],
    ['max-snippet: 20, noindex', ['noindex']],
    ['googlebot: max-snippet: 20, noindex', []],
    ['forager: max-snippet: 20, noindex', ['noindex']],
    ['noindex: true', ['noindex']],
    [': noindex', ['noindex']],
    ['', []],
  ])('of %j asks for %j', (value, expected) => {
    expect(read([], [value])).toEqual(expected);
  });

  test('may be repeated: an agent named in one says nothing of the next', () => {
    expect(read([], ['googlebot: noindex', 'nofollow', 'otherbot: noarchive'])).toEqual(['nofollow']);
  });

  test('adds to the metas', () => {
    expect(read([['robots', 'noarchive']], ['forager: nofollow'])).toEqual(['nofollow', 'noarchive']);
  });
});

describe('unavailable_after', () => {
  test.each([
    '25 Jun 2020 15:00:00 PST',
    'Thu, 25 Jun 2020 15:00:00 GMT',
    'Thursday, 25-Jun-20 15:00:00 GMT',
    '25-Jun-2020 15:00:00 EST',
    'Jun 25, 2020',
    '2020-06-25',
    '2020-06-25T15:00:00Z',
    '2020-06-25T15:00:00+02:00',
    '25 Jun 2020 15:00:00 CEST',
    '2025-06-01T12:00:00Z',
  ])('%s is past: no index', (date) => {
    expect(read([['robots', `unavailable_after: ${date}`]])).toEqual(['noindex']);
    expect(read([], [`unavailable_after: ${date}, nofollow`])).toEqual(['noindex', 'nofollow']);
    expect(read([], [`nofollow, Forager: UNAVAILABLE_AFTER:${date}`])).toEqual(['noindex', 'nofollow']);
  });

  test.each([
    '25 Jun 2030 15:00:00 PST',
    'Tue, 25 Jun 2030 15:00:00 GMT',
    'Jun 25, 2030',
    '2030-06-25',
    '2025-06-01T12:00:01Z',
    '1 Jun 2025 05:00:00 PST',
    'never',
    '',
    '0',
  ])('%j is not: nothing follows from it', (date) => {
    expect(read([['robots', `unavailable_after: ${date}`]])).toEqual([]);
    expect(read([], [`unavailable_after: ${date}, nofollow`])).toEqual(['nofollow']);
  });

  test('for another agent is not ours, and its date hides no directive', () => {
    expect(
      read([], ['otherbot: unavailable_after: Thu, 25 Jun 2020 15:00:00 GMT, forager: nofollow']),
    ).toEqual(['nofollow']);
  });
});

test('a value of megabytes is read as far as an honest one could reach', () => {
  expect(read([['robots', `noindex,${'a:,'.repeat(1_000_000)}nofollow`]])).toEqual(['noindex']);
});
