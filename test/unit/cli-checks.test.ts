/** The commands that need neither database nor network, as scripts call them. */
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runForager } from '../support/run-cli.ts';

let directory: string;
let robots: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'forager-cli-'));
  robots = path.join(directory, 'robots.txt');
  await writeFile(
    robots,
    'User-agent: FooBot\nDisallow: /private\nAllow: /private/open\n\nUser-agent: *\nDisallow: /\n',
  );
  return () => rm(directory, { recursive: true, force: true });
});

describe('robots check', () => {
  it('says for each URL which rule decided, and exits 1 because one is disallowed', async () => {
    const run = await runForager([
      ...['robots', 'check', '--file', robots, '--agent', 'FooBot/2.1'],
      ...['https://x.example/private/a', 'https://x.example/private/open/b', 'https://x.example/c'],
    ]);
    expect(run.stdout.split('\n')).toEqual([
      'disallowed  https://x.example/private/a  (Disallow: /private, line 2)',
      'allowed     https://x.example/private/open/b  (Allow: /private/open, line 3)',
      'allowed     https://x.example/c  (no rule matches)',
      '',
    ]);
    expect(run).toMatchObject({ code: 1, stderr: '' });
  });

  it('exits 0 when all are allowed', async () => {
    const run = await runForager([
      'robots',
      'check',
      '--file',
      robots,
      '--agent',
      'FooBot',
      'https://x.example/',
    ]);
    expect(run.code).toBe(0);
  });

  it('gives one JSON object per URL, with the global flag in any place', async () => {
    const run = await runForager([
      '--json',
      'robots',
      'check',
      '--file',
      robots,
      'https://x.example/a',
      'https://x.example/robots.txt',
    ]);
    expect(run.json()).toEqual([
      {
        url: 'https://x.example/a',
        agent: 'Forager',
        allowed: false,
        rule: 'Disallow: /',
        line: 6,
        group: 'global',
      },
      {
        url: 'https://x.example/robots.txt',
        agent: 'Forager',
        allowed: true,
        rule: null,
        line: null,
        group: 'global',
      },
    ]);
    expect(run.code).toBe(1);
  });

  it('reads the URLs or the robots.txt from standard input, but not both', async () => {
    const urls = await runForager(['robots', 'check', '--file', robots, '--agent', 'FooBot', '--json', '-'], {
      input: 'https://x.example/private\r\n\nhttps://x.example/b',
    });
    expect(urls.json().map(({ url, allowed }) => [url, allowed])).toEqual([
      ['https://x.example/private', false],
      ['https://x.example/b', true],
    ]);
    const file = await runForager(['robots', 'check', '--file', '-', 'https://x.example/b'], {
      input: 'User-agent: *\nDisallow: /b',
    });
    expect(file.code).toBe(1);
    expect((await runForager(['robots', 'check', '--file', '-', '-'], { input: '' })).code).toBe(2);
  });

  it('takes an empty agent and an empty URL for what they are', async () => {
    const run = await runForager(['robots', 'check', '--file', robots, '--agent', '', '--json', '']);
    expect(run.json()).toMatchObject([{ url: '', agent: '', allowed: false, group: 'global' }]);
  });

  it('reads no further than a crawl would', async () => {
    const filler = `# ${'x'.repeat(100)}\n`.repeat(6000);
    await writeFile(robots, `User-agent: *\nDisallow: /early\n${filler}Disallow: /late\n`);
    const run = await runForager([
      'robots',
      'check',
      '--file',
      robots,
      '--json',
      'https://x/early',
      'https://x/late',
    ]);
    expect(run.json().map(({ allowed }) => allowed)).toEqual([false, true]);
  });

  it('keeps what a site wrote from steering the terminal', async () => {
    await writeFile(robots, 'User-agent: *\nDisallow: /\u001b[31m\n');
    const run = await runForager([
      'robots',
      'check',
      '--file',
      robots,
      'https://x/%1B[31m',
      'https://x/\u001b[31m',
    ]);
    expect(run.stdout).not.toContain('\u001b');
  });

  it.each([
    [['robots', 'check', 'https://x/']],
    [['robots', 'check', '--file', '/nowhere/robots.txt', 'https://x/']],
    [['robots', 'check', '--file', 'a', '--url', 'https://x/', 'https://x/']],
    [['robots', 'check', '--file', 'a']],
    [['robots', 'check', '--wrong']],
    [['robots', 'chekc']],
  ])('exits 2 with a sentence on standard error for %j', async (args) => {
    const run = await runForager(args);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).not.toBe('');
  });
});

describe('url normalize', () => {
  it('prints the key of each URL', async () => {
    const run = await runForager([
      'url',
      'normalize',
      'HTTP://Example.COM:80/a/../b?utm_source=x&b=2&a=1#top',
      'https://example.com',
    ]);
    expect(run).toMatchObject({
      code: 0,
      stdout: 'http://example.com/b?a=1&b=2\nhttps://example.com/\n',
      stderr: '',
    });
  });

  it('describes each URL as JSON, a bad one by its error', async () => {
    const run = await runForager(['url', 'normalize', '--json', 'https://www.Example.co.uk/A', 'mailto:a@b']);
    const [good, bad] = run.json();
    expect(good).toEqual({
      input: 'https://www.Example.co.uk/A',
      url: 'https://www.example.co.uk/A',
      key: 'https://www.example.co.uk/A',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      domain: 'example.co.uk',
      parentDomain: 'example.co.uk',
    });
    expect(bad).toEqual({ input: 'mailto:a@b', error: expect.stringContaining('mailto') });
    expect(run.code).toBe(1);
  });

  it('goes on after a bad URL, tells it on standard error and exits 1', async () => {
    const run = await runForager(['url', 'normalize', '-', 'http://c/'], {
      input: 'http://a/\nnot a url\n\nhttp://b/\n',
    });
    expect(run.stdout).toBe('http://a/\nhttp://b/\nhttp://c/\n');
    expect(run.stderr).toMatch(/^forager: "not a url": .+\n$/);
    expect(run.code).toBe(1);
  });

  it('strips trailing slashes only when asked to', async () => {
    expect((await runForager(['url', 'normalize', 'http://a/b/'])).stdout).toBe('http://a/b/\n');
    expect((await runForager(['url', 'normalize', '--strip-trailing-slash', 'http://a/b/'])).stdout).toBe(
      'http://a/b\n',
    );
  });
});

describe('the program', () => {
  it('lists every command in its help, whichever way it is asked', async () => {
    const { stdout, code } = await runForager(['--help']);
    expect(code).toBe(0);
    for (const name of [
      'crawl',
      'demo',
      'domain',
      'page',
      'export',
      'explain',
      'inspect',
      'robots',
      'url',
      'db',
      'doctor',
    ]) {
      expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    }
    expect((await runForager([])).stdout).toBe(stdout);
  });

  it('shows examples in the help of every command', async () => {
    for (const words of [
      ...['robots check', 'url normalize', 'domain status', 'domain info', 'domain reset', 'domain top'],
      ...['page list', 'page show', 'export pages', 'export urls', 'export log', 'explain', 'inspect'],
      ...['db migrate', 'db status', 'db rollback', 'db stop', 'doctor'],
    ]) {
      const { stdout, code } = await runForager([...words.split(' '), '--help']);
      expect(code, words).toBe(0);
      expect(stdout, words).toContain('Examples:');
      expect(stdout, words).toContain(`forager ${words}`);
    }
  });

  it('exits 2 for a command it does not have', async () => {
    expect(await runForager(['forage'])).toMatchObject({ code: 2, stdout: '' });
    expect((await runForager(['url', 'normalize'])).code).toBe(2);
  });

  it('tells its version', async () => {
    expect((await runForager(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('crawl', () => {
  it('shows of a seed it cannot read neither the password nor what would steer the terminal', async () => {
    const run = await runForager(['crawl', 'ftp://me:very-secret@example.com/\u001b[31m']);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('ftp://***@example.com/');
    expect(run.stderr).not.toMatch(/very-secret|\u001b/);
  });

  it('tells a seeds file that is no list of URLs by its first lines', async () => {
    const file = path.join(directory, 'seeds.txt');
    await writeFile(file, '://nothing\n'.repeat(1000));
    const run = await runForager(['crawl', '--seeds', file]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('seeds.txt:20: ');
    expect(run.stderr).not.toContain('seeds.txt:21: ');
    expect(run.stderr).toContain('980 more lines');
  });

  it('says before it starts that its export could not be written', async () => {
    const dataDir = path.join(directory, 'data');
    const file = path.join(directory, 'nowhere', 'pages.jsonl');
    const run = await runForager(['crawl', 'http://example.com/', '--data-dir', dataDir, '--export', file]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('its directory does not exist');
    await expect(access(dataDir)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
