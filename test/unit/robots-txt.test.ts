import { describe, expect, test } from 'vitest';
import { parseRobotsTxt, ROBOTS_MAX_BYTES } from '../../src/engine/politeness/robots-txt.ts';

function readGroups(body: Buffer | string): Array<{ agents: readonly string[]; rules: string[] }> {
  return parseRobotsTxt(body).groups.map((group) => ({
    agents: group.agents,
    rules: group.rules.map((rule) => `${rule.isAllow ? '+' : '-'}${rule.pattern}`),
  }));
}

function readRuleLines(body: Buffer | string): number[] {
  return parseRobotsTxt(body).groups.flatMap((group) => group.rules.map((rule) => rule.line));
}

describe('lines', () => {
  test.each([
    ['line feeds', '\n'],
    ['carriage returns', '\r'],
    ['both', '\r\n'],
  ])('end in %s, and each counts once', (_name, end) => {
    const body = ['User-agent: a', 'Disallow: /1', '', '', 'Allow: /2', ''].join(end);
    expect(readRuleLines(body)).toEqual([2, 5]);
  });

  test('may mix their ends, and the last needs none', () => {
    expect(readRuleLines('User-agent: a\r\n\n\rAllow: /1\n\r\nAllow: /2')).toEqual([4, 6]);
  });

  test.each([
    ['whole', [0xef, 0xbb, 0xbf]],
    ['cut to two octets', [0xef, 0xbb]],
    ['cut to one octet', [0xef]],
  ])('begin after a byte order mark, %s', (_name, mark) => {
    const body = Buffer.concat([Buffer.from(mark), Buffer.from('User-agent: a\nDisallow: /')]);
    expect(readGroups(body)).toEqual([{ agents: ['a'], rules: ['-/'] }]);
  });

  test('that begin with a broken mark, or with one in mid-file, are some unknown key', () => {
    const broken = Buffer.concat([
      Buffer.from([0xef, 0x11, 0xbf]),
      Buffer.from('User-agent: a\nDisallow: /'),
    ]);
    expect(readGroups(broken)).toEqual([]);
    expect(readGroups('User-agent: a\n\ufeffDisallow: /1\nDisallow: /2')[0]?.rules).toEqual(['-/2']);
  });

  test('end at a comment sign, wherever it stands', () => {
    const body = 'User-agent: a # the first\n#Disallow: /1\nDisallow: /2#3\n  # Disallow: /4';
    expect(readGroups(body)).toEqual([{ agents: ['a'], rules: ['-/2'] }]);
  });

  test('end at a NUL octet', () => {
    expect(readGroups('User-agent: a\nDisallow: /1\0/2\nDisal\0low: /3')[0]?.rules).toEqual(['-/1']);
  });

  test('count up to 16,663 octets', () => {
    const long = `Disallow: /${'x'.repeat(20_000)}`;
    const pattern = parseRobotsTxt(`User-agent: a\n${long}\nAllow: /y`).groups[0]?.rules[0]?.pattern;
    expect(pattern).toHaveLength(16_663 - 'Disallow: '.length);
    expect(readRuleLines(`User-agent: a\n${long}\nAllow: /y`)).toEqual([2, 3]);
  });

  test('may hold octets of no encoding at all, which are kept one by one', () => {
    const body = Buffer.concat([Buffer.from('User-agent: a\nDisallow: /'), Buffer.from([0xff, 0x80, 0xa0])]);
    expect(readGroups(body)[0]?.rules).toEqual(['-/\xff\x80\xa0']);
  });
});

describe('a field', () => {
  test.each([
    'Disallow:/x',
    'disallow: /x',
    'DISALLOW :/x',
    ' \t Disallow\t:\t/x \t',
    '\vDisallow:\f/x\v',
    'disallow /x',
    'disallow\t /x',
    'Dissallow: /x',
    'dissalow: /x',
    'DISALOW: /x',
    'diasllow: /x',
    'disallaw: /x',
    'Disallowed: /x',
    'disallow-all: /x',
  ])('is a disallow when written %j', (line) => {
    expect(readGroups(`User-agent: a\n${line}`)[0]?.rules).toEqual(['-/x']);
  });

  test.each(['Allow: /x', 'ALLOW /x', 'allowance: /x'])('is an allow when written %j', (line) => {
    expect(readGroups(`User-agent: a\n${line}`)[0]?.rules).toEqual(['+/x']);
  });

  test.each([
    'User-agent: a',
    'USER-AGENT:a',
    'useragent: a',
    'User Agent: a',
    'user-agents: a',
    'user-agent a',
  ])('names an agent when written %j', (line) => {
    expect(readGroups(`${line}\nDisallow: /x`)).toEqual([{ agents: ['a'], rules: ['-/x'] }]);
  });

  test.each([
    'disallow /x /y',
    'user agent b',
    'disallow',
    ': /x',
    'disa llow: /x',
    'no-disallow: /x',
    'disallow\v/x',
  ])('is nothing to obey when written %j', (line) => {
    expect(readGroups(`User-agent: a\n${line}\nDisallow: /z`)).toEqual([{ agents: ['a'], rules: ['-/z'] }]);
  });

  test('takes all that follows its first colon as the value', () => {
    expect(readGroups('User-agent: a\nDisallow: /x: y:z')[0]?.rules).toEqual(['-/x: y:z']);
  });

  test('may be empty, which is a rule too', () => {
    expect(readGroups('User-agent: a\nDisallow:\nAllow: ')[0]?.rules).toEqual(['-', '+']);
  });

  test('keeps the line as written for people, in their own script', () => {
    const rule = parseRobotsTxt('User-agent: a\n  disALLOW : /café  # menu').groups[0]?.rules[0];
    expect(rule?.text).toBe('disALLOW : /café');
  });
});

describe('an agent line', () => {
  test.each([
    ['FooBot', 'foobot'],
    ['FooBot/2.1', 'foobot'],
    ['Foo Bot', 'foo'],
    ['foo_bot-x', 'foo_bot-x'],
    ['MJ12bot', 'mj'],
    ['*', '*'],
    ['* everyone', '*'],
    ['*\tx', '*'],
    ['*bot', ''],
    ['2bot', ''],
    ['', ''],
    ['ツ', ''],
  ])('with the value %j is about %j', (value, token) => {
    expect(parseRobotsTxt(`User-agent: ${value}\nDisallow: /`).groups[0]?.agents).toEqual([token]);
  });
});

describe('groups', () => {
  test('hold consecutive agents, also across blank lines and comments', () => {
    expect(readGroups('User-agent: a\n\n# and\n\nUser-agent: b\nDisallow: /')).toEqual([
      { agents: ['a', 'b'], rules: ['-/'] },
    ]);
  });

  test('end at the first agent after a rule, not at a blank line', () => {
    expect(readGroups('User-agent: a\nDisallow: /1\n\nAllow: /2\nUser-agent: b\nDisallow: /3')).toEqual([
      { agents: ['a'], rules: ['-/1', '+/2'] },
      { agents: ['b'], rules: ['-/3'] },
    ]);
  });

  test.each(['Sitemap: https://h/s.xml', 'Crawl-delay: 3', 'Unheard-of: x', 'gibberish'])(
    'do not end at %j',
    (line) => {
      expect(readGroups(`User-agent: a\n${line}\nUser-agent: b\nDisallow: /`)).toEqual([
        { agents: ['a', 'b'], rules: ['-/'] },
      ]);
    },
  );

  test('do not gather rules that stand before any agent', () => {
    expect(readGroups('Disallow: /1\nAllow: /2\nUser-agent: a\nDisallow: /3')).toEqual([
      { agents: ['a'], rules: ['-/3'] },
    ]);
  });

  test('may have no rules', () => {
    expect(readGroups('User-agent: a')).toEqual([{ agents: ['a'], rules: [] }]);
  });
});

describe('sitemaps', () => {
  test('are found anywhere, once each, in order', () => {
    const body =
      'Sitemap: https://h/1.xml\nUser-agent: a\nsite-map: https://h/2.xml # two\nDisallow: /\nSITEMAP:https://h/1.xml';
    expect(parseRobotsTxt(body).sitemaps).toEqual(['https://h/1.xml', 'https://h/2.xml']);
  });

  test('survive a forgotten colon', () => {
    expect(parseRobotsTxt('Sitemap https://h/1.xml').sitemaps).toEqual(['https://h/1.xml']);
  });

  test('are bounded in number', () => {
    const body = Array.from({ length: 5000 }, (_, index) => `Sitemap: https://h/${index}`).join('\n');
    expect(parseRobotsTxt(body).sitemaps).toHaveLength(1000);
  });
});

describe('other lines', () => {
  test('are kept as evidence, with their number', () => {
    const robots = parseRobotsTxt('User-agent: *\nContent-Signal: search=yes, ai-train=no\nHost: h\nwords');
    expect(robots.otherLines).toEqual([
      { line: 2, text: 'Content-Signal: search=yes, ai-train=no' },
      { line: 3, text: 'Host: h' },
    ]);
  });

  test('are bounded in number and length', () => {
    const robots = parseRobotsTxt(`x: ${'y'.repeat(9000)}\n`.repeat(300));
    expect(robots.otherLines).toHaveLength(100);
    expect(robots.otherLines[0]?.text).toHaveLength(500);
  });
});

describe('a body cut at the cap', () => {
  const cut = 'User-agent: a\nDisallow: /private\nDisallow: /';

  test('loses its last line, which may be half a rule', () => {
    const groups = parseRobotsTxt(cut, { isTruncated: true }).groups;
    expect(groups[0]?.rules.map((rule) => rule.pattern)).toEqual(['/private']);
  });

  test('is one of exactly the cap, unless said otherwise', () => {
    const full = cut.replace('\n', `\n#${'x'.repeat(ROBOTS_MAX_BYTES - cut.length - 2)}\n`);
    expect(full).toHaveLength(ROBOTS_MAX_BYTES);
    expect(readGroups(full)[0]?.rules).toEqual(['-/private']);
    expect(parseRobotsTxt(full, { isTruncated: false }).groups[0]?.rules).toHaveLength(2);
  });

  test('is otherwise read to its last octet', () => {
    const body = `User-agent: a\n${'Disallow: /x\n'.repeat(50_000)}Allow: /last`;
    expect(body.length).toBeGreaterThan(ROBOTS_MAX_BYTES);
    expect(parseRobotsTxt(body).groups[0]?.rules.at(-1)?.pattern).toBe('/last');
  });
});

test('anything at all is read without complaint', () => {
  for (let first = 0; first < 256; first += 1) {
    const body = Buffer.from([first, 255 - first, 0, 10, first, 58, first, 13]);
    expect(parseRobotsTxt(body).groups).toEqual([]);
  }
});
