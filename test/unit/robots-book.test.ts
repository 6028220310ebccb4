import { describe, expect, it } from 'vitest';
import type { RobotsAccess } from '../../src/engine/politeness/robots-access.ts';
import { RobotsBook, type RobotsReading } from '../../src/engine/politeness/robots-book.ts';

const now = new Date('2026-11-15T12:00:00Z');

function reading(access: RobotsAccess, text = '', origin = 'https://a.example'): RobotsReading {
  return {
    ...{ origin, access, httpStatus: 200, body: Buffer.from(text), note: undefined, fetchedAt: now },
    expiresAt: new Date(now.getTime() + 1000),
  };
}

describe('RobotsBook', () => {
  it('knows nothing of an origin before it was read, and nothing any more when it is stale', () => {
    const book = new RobotsBook('ForagerBot');
    expect(book.verdict('https://a.example', 'https://a.example/', now)).toBe('unknown');
    book.enter(reading('allow-all'));
    expect(book.verdict('https://a.example', 'https://a.example/', now)).toBe('allowed');
    expect(book.verdict('https://a.example', 'https://a.example/', new Date(now.getTime() + 1000))).toBe(
      'unknown',
    );
  });

  it('keeps scheme, host and port apart', () => {
    const book = new RobotsBook('ForagerBot');
    book.enter(reading('disallow-all', '', 'http://a.example'));
    expect(book.verdict('http://a.example', 'http://a.example/', now)).toBe('denied');
    expect(book.verdict('https://a.example', 'https://a.example/', now)).toBe('unknown');
    expect(book.verdict('http://a.example:8080', 'http://a.example:8080/', now)).toBe('unknown');
  });

  it('judges by the rules for our name', () => {
    const book = new RobotsBook('ForagerBot');
    const entry = book.enter(
      reading(
        'parse',
        'User-agent: foragerbot\nDisallow: /no\nCrawl-delay: 2\n\nSitemap: https://a.example/s.xml\n',
      ),
    );
    expect(book.verdict('https://a.example', 'https://a.example/no/1', now)).toBe('denied');
    expect(book.verdict('https://a.example', 'https://a.example/yes', now)).toBe('allowed');
    expect(entry).toMatchObject({ crawlDelaySeconds: 2, sitemaps: ['https://a.example/s.xml'] });
  });

  it('denies everything while the rules cannot be known', () => {
    for (const access of ['disallow-all', 'defer'] as const) {
      const book = new RobotsBook('ForagerBot');
      book.enter(reading(access));
      expect(book.verdict('https://a.example', 'https://a.example/', now)).toBe('denied');
    }
  });

  it('remembers a bounded number of origins, the latest', () => {
    const book = new RobotsBook('ForagerBot');
    for (let n = 0; n < 200; n += 1) book.enter(reading('allow-all', '', `https://${n}.example`));
    expect(book.entryFor('https://199.example', now)).toBeDefined();
    expect(book.entryFor('https://0.example', now)).toBeUndefined();
  });
});
