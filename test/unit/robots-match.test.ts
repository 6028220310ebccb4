import { describe, expect, test } from 'vitest';
import {
  extractProductToken,
  type RobotsVerdict,
  rulesForAgent,
} from '../../src/engine/politeness/robots-match.ts';
import { parseRobotsTxt } from '../../src/engine/politeness/robots-txt.ts';

const SITE = 'https://h.example';

function ask(body: Buffer | string, agent: string, url: string): RobotsVerdict {
  return rulesForAgent(parseRobotsTxt(body), agent).verdict(url);
}

/** Rules for one bot, and which of the paths it may fetch. */
function allowedPaths(rules: string, paths: readonly string[]): string[] {
  const found = rulesForAgent(parseRobotsTxt(`User-agent: TestBot\n${rules}`), 'TestBot');
  return paths.filter((path) => found.verdict(`${SITE}${path}`).allowed);
}

describe('the agent', () => {
  const body =
    'User-agent: *\nDisallow: /all\nUser-agent: Foo\nDisallow: /foo\nUser-agent: Foo-Bar\nDisallow: /bar';

  test.each([
    ['Foo', '/foo'],
    ['foo', '/foo'],
    ['FOO', '/foo'],
    ['Foo/1.2', '/foo'],
    ['Foo/1.2 (+https://foo.example)', '/foo'],
    ['Mozilla/5.0 (compatible; Foo/1.2; +https://foo.example)', '/foo'],
    ['foo-bar', '/bar'],
    ['Foo-Bar/2', '/bar'],
    ['Baz', '/all'],
    ['Fo', '/all'],
    ['Food', '/all'],
    ['Foo Bar', '/all'],
    ['Foo*', '/all'],
    [' Foo', '/all'],
    ['Foo2', '/all'],
    ['ツ', '/all'],
    ['*', '/all'],
    ['', '/all'],
  ])('%j is bound by the rule on %s and by no other', (agent, path) => {
    const denied = ['/all', '/foo', '/bar'].filter((each) => !ask(body, agent, SITE + each).allowed);
    expect(denied).toEqual([path]);
  });

  test('obeys a line that says more than its name', () => {
    expect(ask('User-agent: Foo Bar\nDisallow: /', 'foo', SITE).allowed).toBe(false);
    expect(ask('User-agent: Foo/9.9 beta\nDisallow: /', 'foo', SITE).allowed).toBe(false);
  });

  test('without a name is bound by no group that has one', () => {
    expect(ask('User-agent: Foo\nDisallow: /', '', '').allowed).toBe(true);
  });

  test('is read off a header, and is none where the header has none', () => {
    expect(extractProductToken('Forager/0.1 (+https://x)')).toBe('forager');
    expect(extractProductToken('Mozilla/5.0 (X11; Linux)')).toBe('mozilla');
    expect(extractProductToken('Foo Bar')).toBeUndefined();
  });
});

describe('groups', () => {
  test('that name the agent are merged, wherever they stand', () => {
    const body =
      'User-agent: a\nDisallow: /1\nUser-agent: b\nDisallow: /2\nUser-agent: c\nUser-agent: A\nDisallow: /3';
    const rules = rulesForAgent(parseRobotsTxt(body), 'a');
    expect(['/1', '/2', '/3'].map((path) => rules.verdict(SITE + path).allowed)).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('for everyone are merged too', () => {
    const body = 'User-agent: *\nDisallow: /1\nUser-agent: b\nDisallow: /2\nUser-agent: *\nDisallow: /3';
    const rules = rulesForAgent(parseRobotsTxt(body), 'a');
    expect(['/1', '/2', '/3'].map((path) => rules.verdict(SITE + path).allowed)).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('for everyone do not bind an agent with its own, even an empty one', () => {
    expect(ask('User-agent: *\nDisallow: /\nUser-agent: a\nDisallow:', 'a', SITE).allowed).toBe(true);
    expect(ask('User-agent: a\nAllow: /x\nUser-agent: *\nDisallow: /', 'a', `${SITE}/y`).allowed).toBe(true);
    expect(ask('User-agent: *\nDisallow: /\nUser-agent: a', 'a', SITE).allowed).toBe(true);
  });

  test('shared with everyone through a line that ends none bind both', () => {
    for (const line of ['Sitemap: https://h.example/s', 'Whatever: x', 'Crawl-delay: 1']) {
      const body = `User-agent: a\n${line}\nUser-agent: *\nDisallow: /`;
      expect(ask(body, 'a', SITE).allowed).toBe(false);
      expect(ask(body, 'b', SITE).allowed).toBe(false);
    }
  });

  test('are named in the verdict', () => {
    expect(ask('User-agent: a\nDisallow: /', 'a', SITE).group).toBe('specific');
    expect(ask('User-agent: *\nDisallow: /', 'a', SITE).group).toBe('global');
    expect(ask('User-agent: b\nDisallow: /', 'a', SITE)).toEqual({
      allowed: true,
      rule: undefined,
      line: undefined,
      group: 'none',
    });
    expect(ask('', 'a', SITE).group).toBe('none');
  });
});

describe('of several rules that match', () => {
  test('the longest wins, in whatever order they stand', () => {
    expect(allowedPaths('Disallow: /a/b\nAllow: /a', ['/a/b', '/a/c'])).toEqual(['/a/c']);
    expect(allowedPaths('Allow: /a/b\nDisallow: /a', ['/a/b', '/a/c'])).toEqual(['/a/b']);
  });

  test('allow wins among equals, in whatever order they stand', () => {
    expect(allowedPaths('Disallow: /a\nAllow: /a', ['/a'])).toEqual(['/a']);
    expect(allowedPaths('Allow: /a\nDisallow: /a', ['/a'])).toEqual(['/a']);
    expect(allowedPaths('Allow: /ab*\nDisallow: /abc', ['/abc'])).toEqual(['/abc']);
    expect(allowedPaths('Disallow:\nAllow:', ['/a'])).toEqual(['/a']);
  });

  test('wildcards count as one octet each, however much they cover', () => {
    expect(allowedPaths('Allow: /p\nDisallow: /*.htm', ['/p.htm', '/p'])).toEqual(['/p']);
    expect(allowedPaths('Allow: /folder/p\nDisallow: /*.htm', ['/folder/p.htm'])).toEqual(['/folder/p.htm']);
    expect(allowedPaths('Allow: /$\nDisallow: /', ['/', '/a', '/?a'])).toEqual(['/']);
  });

  test('length is counted after escaping', () => {
    // "é" counts six octets, so the disallow has eight and the allow seven.
    expect(allowedPaths('Allow: /abcdef\nDisallow: /é*', ['/abcdef', '/%C3%A9'])).toEqual(['/abcdef']);
    expect(allowedPaths('Disallow: /é\nAllow: /*A9**', ['/%C3%A9'])).toEqual([]);
    expect(allowedPaths('Disallow: /é\nAllow: /*A9***', ['/%C3%A9'])).toEqual(['/%C3%A9']);
  });

  test('the verdict names the line that decided', () => {
    const body = 'User-agent: a\nDisallow: /x # no\nDISALLOW : /x\nallow: /x/y';
    expect(ask(body, 'a', `${SITE}/x/z`)).toMatchObject({ allowed: false, rule: 'Disallow: /x', line: 2 });
    expect(ask(body, 'a', `${SITE}/x/y`)).toMatchObject({ allowed: true, rule: 'allow: /x/y', line: 4 });
    expect(ask(body, 'a', `${SITE}/z`)).toMatchObject({ allowed: true, rule: undefined, line: undefined });
  });
});

describe('a pattern', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    [
      '/fish',
      ['/fish', '/fish.html', '/fish/salmon', '/fishheads', '/fish?id=1'],
      ['/Fish', '/catfish', '/?fish'],
    ],
    ['/fish*', ['/fish', '/fishheads/x'], ['/Fish.asp', '/desert/fish']],
    ['/fish/', ['/fish/', '/fish/?id=1', '/fish/a'], ['/fish', '/fish.html']],
    ['/*.php', ['/x.php', '/a/b.php?c', '/x.php5', '/?x.php'], ['/', '/x.PHP', '/php/']],
    ['/*.php$', ['/x.php', '/a/b.php'], ['/x.php?a', '/x.php/', '/x.php5']],
    ['/fish*.php', ['/fish.php', '/fishes/x.php?y'], ['/Fish.php', '/fish.ph']],
    ['/a$', ['/a'], ['/a/', '/ab', '/a?']],
    ['/a$b', ['/a$b', '/a$bc'], ['/a', '/ab']],
    ['/a$$', ['/a$'], ['/a', '/a$$']],
    ['/$', ['/'], ['/a']],
    ['$', [], ['/', '/a']],
    ['*', ['/', '/a'], []],
    ['*a', ['/a', '/ba', '/b/ac'], ['/b']],
    ['**a**b', ['/ab', '/a/b', '/xaxxb'], ['/ba']],
    ['/a*$', ['/a', '/ab'], ['/b']],
    ['/*a*a$', ['/aa', '/abba'], ['/a', '/aab']],
    ['/ab*ab$', ['/abab', '/ab-ab'], ['/ab', '/aba']],
    ['/*/x', ['/a/x', '//x', '/a/b/xy'], ['/x']],
    ['a', [], ['/a', '/']],
    ['', [], ['/', '/a']],
    ['/a b', ['/a b'], ['/a%20b']],
  ])('%j binds what it should', (pattern, bound, free) => {
    const paths = [...bound, ...free];
    expect(allowedPaths(`Disallow: ${pattern}`, paths)).toEqual(free);
  });

  test('is held against escapes, not against what they stand for', () => {
    expect(allowedPaths('Disallow: /ツ', ['/%E3%83%84', '/%e3%83%84', '/ツ'])).toEqual(['/%e3%83%84', '/ツ']);
    expect(allowedPaths('Disallow: /%e3%83%84', ['/%E3%83%84'])).toEqual([]);
    expect(allowedPaths('Disallow: /%62', ['/b', '/%62'])).toEqual(['/b']);
    expect(allowedPaths('Disallow: /a%2fb', ['/a/b', '/a%2Fb'])).toEqual(['/a/b']);
  });

  test('in Latin-1 is escaped octet by octet', () => {
    const body = Buffer.from('User-agent: a\nDisallow: /caf\xe9', 'latin1');
    expect(ask(body, 'a', `${SITE}/caf%E9`).allowed).toBe(false);
    expect(ask(body, 'a', `${SITE}/caf%C3%A9`).allowed).toBe(true);
  });

  test('may hold a URL in its query', () => {
    const rules = 'Disallow: /\nAllow: /go?to=https://other.example?a&b';
    expect(allowedPaths(rules, ['/go?to=https://other.example?a&b', '/go'])).toEqual([
      '/go?to=https://other.example?a&b',
    ]);
  });

  test('of a line too long holds up to where it is cut', () => {
    const long = `/x/${'a'.repeat(16_650)}`;
    expect(allowedPaths(`Disallow: ${long}b`, [`${long}c`, '/x/a', long])).toEqual(['/x/a']);
  });
});

describe('an allowed index page', () => {
  test('opens its directory, and only that', () => {
    const rules = 'Allow: /d/index.html\nDisallow: /';
    expect(allowedPaths(rules, ['/d/', '/d/index.html', '/d/index.htm', '/d', '/d/a', '/'])).toEqual([
      '/d/',
      '/d/index.html',
    ]);
  });

  test('may be called index.htm, or anything that begins so', () => {
    expect(allowedPaths('Allow: /index.htm\nDisallow: /', ['/', '/index.html', '/x'])).toEqual([
      '/',
      '/index.html',
    ]);
    expect(allowedPaths('Allow: /index.htmx\nDisallow: /', ['/'])).toEqual(['/']);
    expect(allowedPaths('Allow: /index.php\nDisallow: /', ['/'])).toEqual([]);
  });

  test('has no counterpart: a forbidden one leaves the directory open', () => {
    expect(allowedPaths('Disallow: /d/index.html', ['/d/', '/d/index.html'])).toEqual(['/d/']);
  });

  test('yields to a longer rule', () => {
    expect(allowedPaths('Allow: /d/index.html\nDisallow: /d/*$', ['/d/'])).toEqual([]);
  });
});

describe('robots.txt itself', () => {
  test('may always be fetched', () => {
    expect(allowedPaths('Disallow: /', ['/robots.txt', '/robots.txt?x', '/a/robots.txt'])).toEqual([
      '/robots.txt',
    ]);
  });
});

describe('a URL without a path', () => {
  test.each(['', 'https://h.example', 'h.example', 'https://h.example#a'])(
    'stands for the root: %j',
    (url) => {
      expect(ask('User-agent: a\nDisallow: /$', 'a', url).allowed).toBe(false);
    },
  );
});

describe('the crawl delay', () => {
  function delayOf(body: string, agent = 'a'): number | undefined {
    return rulesForAgent(parseRobotsTxt(body), agent).crawlDelaySeconds;
  }

  test.each([
    ['10', 10],
    ['0.5', 0.5],
    ['.5', 0.5],
    ['2.', 2],
    ['0', 0],
    ['5 # s', 5],
  ])('is %j as seconds', (value, seconds) => {
    expect(delayOf(`User-agent: *\nCrawl-delay: ${value}\nDisallow:`)).toBe(seconds);
  });

  test.each(['-1', 'ten', '', '5s', '1,5', '1e3', 'Infinity', '0x10', '9'.repeat(400)])(
    'is not %j',
    (value) => {
      expect(delayOf(`User-agent: *\nCrawl-delay: ${value}`)).toBeUndefined();
    },
  );

  test('may be written in any case, after the rules, or without its colon', () => {
    expect(delayOf('User-agent: *\nDisallow: /x\nCRAWL-DELAY 7')).toBe(7);
  });

  test('is that of the group obeyed, not of another', () => {
    const body = 'User-agent: *\nCrawl-delay: 9\nDisallow: /x\nUser-agent: b\nDisallow: /y\nCrawl-delay: 3';
    expect(delayOf(body, 'a')).toBe(9);
    expect(delayOf(body, 'b')).toBe(3);
    expect(
      delayOf('User-agent: *\nCrawl-delay: 9\nDisallow: /x\nUser-agent: a\nDisallow: /y'),
    ).toBeUndefined();
  });

  test('binds the agents named above its line, not those below', () => {
    const body = 'User-agent: b\nCrawl-delay: 10\n\nUser-agent: *\nDisallow: /x';
    expect(delayOf(body, 'b')).toBe(10);
    expect(delayOf(body, 'a')).toBeUndefined();
  });

  test('is the longest of several, and none outside a group', () => {
    expect(
      delayOf('User-agent: a\nCrawl-delay: 2\nDisallow:\nUser-agent: a\nCrawl-delay: 5\nCrawl-delay: 1'),
    ).toBe(5);
    expect(delayOf('Crawl-delay: 5\nUser-agent: a\nDisallow:')).toBeUndefined();
  });
});

/** The reference's way: every position of the path that a prefix of the pattern can reach. */
function matchesByPositions(path: string, pattern: string): boolean {
  let positions = [0];
  for (let index = 0; index < pattern.length; index += 1) {
    const wanted = pattern[index];
    if (wanted === '$' && index === pattern.length - 1) return positions.includes(path.length);
    if (wanted === '*') {
      const first = positions[0] ?? 0;
      positions = Array.from({ length: path.length - first + 1 }, (_, offset) => first + offset);
    } else {
      positions = positions.filter((position) => path[position] === wanted).map((position) => position + 1);
      if (positions.length === 0) return false;
    }
  }
  return true;
}

function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

test('sorted rules decide as trying every one does, on thousands of made-up files', () => {
  const random = createRandom(20_241);
  const word = (letters: string, length: number): string =>
    Array.from({ length: random(length) }, () => letters[random(letters.length)]).join('');
  for (let round = 0; round < 4000; round += 1) {
    const rules = Array.from({ length: random(12) }, (_, index) => ({
      isAllow: random(2) === 0,
      pattern: `${random(6) === 0 ? '' : '/'}${word('aab/*$', 7)}`,
      line: index + 2,
    }));
    const body = rules.map((rule) => `${rule.isAllow ? 'Allow' : 'Disallow'}: ${rule.pattern}`).join('\n');
    const found = rulesForAgent(parseRobotsTxt(`User-agent: a\n${body}`), 'a');
    for (let tries = 0; tries < 5; tries += 1) {
      const path = `/${word('aab/$', 9)}`;
      let best: (typeof rules)[number] | undefined;
      for (const rule of rules) {
        if (!matchesByPositions(path, rule.pattern)) continue;
        const lead = rule.pattern.length - (best?.pattern.length ?? -1);
        if (lead > 0 || (lead === 0 && rule.isAllow && best?.isAllow === false)) best = rule;
      }
      const expected = {
        allowed: best === undefined || best.isAllow || best.pattern === '',
        line: best?.line,
      };
      const verdict = found.verdict(SITE + path);
      expect({ allowed: verdict.allowed, line: verdict.line }, `${path} under\n${body}`).toEqual(expected);
    }
  }
});

test('a pattern made to backtrack is decided all the same', () => {
  const rules = rulesForAgent(parseRobotsTxt(`User-agent: a\nDisallow: /${'*a'.repeat(8000)}b$`), 'a');
  expect(rules.verdict(`${SITE}/${'a'.repeat(20_000)}`).allowed).toBe(true);
  expect(rules.verdict(`${SITE}/${'a'.repeat(20_000)}b`).allowed).toBe(false);
});

test('a file made to cost more than a fetch is worth is answered with no', () => {
  const rules = Array.from({ length: 20_000 }, (_, n) => `Disallow: /*a*a*a${n}z`).join('\n');
  const path = `/${'a'.repeat(8000)}`;
  expect(ask(`User-agent: *\n${rules}`, 'FooBot', SITE + path)).toMatchObject({ allowed: false });
  expect(ask(`User-agent: *\n${rules}`, 'FooBot', `${SITE}/b`)).toMatchObject({ allowed: true });
});
