import { describe, expect, it } from 'vitest';
import { judgeRobots } from '../../src/control/explain/judge-robots.ts';
import type { RobotsReading } from '../../src/engine/politeness/robots-book.ts';

const now = new Date('2026-02-05T12:00:00Z');
const reading = (changes: Partial<RobotsReading> = {}): RobotsReading => ({
  origin: 'https://example.com',
  access: 'parse',
  httpStatus: 200,
  body: Buffer.from('User-agent: *\nDisallow: /private\n'),
  note: undefined,
  fetchedAt: new Date('2026-02-05T00:00:00Z'),
  expiresAt: new Date('2026-02-06T00:00:00Z'),
  ...changes,
});
const judge = (url: string, ...readings: RobotsReading[]) =>
  judgeRobots(url, readings, 'FooBot/1.0 (+https://foo.example)', now);

describe('the opinion on a URL', () => {
  it('names the rule and the line that decided', () => {
    const opinion = judge('https://example.com/private/x', reading());
    expect(opinion).toMatchObject({
      verdict: 'disallowed',
      rule: 'Disallow: /private',
      line: 2,
      group: 'global',
    });
    expect(opinion.sentence).toContain('"Disallow: /private", line 2');
  });

  it('allows what no rule matches', () => {
    expect(judge('https://example.com/open', reading())).toMatchObject({ verdict: 'allowed', rule: null });
  });

  it('is open as long as the robots.txt of that very origin has not been read', () => {
    expect(judge('http://example.com/open', reading()).verdict).toBe('undecided');
    expect(judge('https://example.com/open').sentence).toContain('has not been read yet');
  });

  it('says when the rules are stale', () => {
    const opinion = judge('https://example.com/', reading({ expiresAt: now }));
    expect(opinion.isStale).toBe(true);
    expect(opinion.sentence).toContain('stale');
  });

  it('follows what the answer itself means where there are no rules', () => {
    const none = { body: undefined, note: 'robots.txt answered 404', httpStatus: 404 };
    expect(judge('https://example.com/', reading({ ...none, access: 'allow-all' })).verdict).toBe('allowed');
    expect(judge('https://example.com/', reading({ ...none, access: 'disallow-all' })).verdict).toBe(
      'disallowed',
    );
    expect(judge('https://example.com/', reading({ ...none, access: 'defer' })).verdict).toBe('disallowed');
  });
});
