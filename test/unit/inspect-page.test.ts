import { expect, it } from 'vitest';
import { inspectPage } from '../../src/control/inspect/inspect-page.ts';

const page = `<!doctype html><html lang="de"><head><title>Käse &amp; Brot</title>
<meta name="robots" content="nofollow"><link rel="canonical" href="/kanonisch"><base href="/unter/">
</head><body><p>${'Ein Satz über Käse. '.repeat(40)}</p>
<a href="a">A</a><a href="mailto:x@y">M</a><a rel="nofollow" href="/b">B</a><img src="i.png"></body></html>`;

const inspect = (body: Buffer, headers: string[] = []) =>
  inspectPage({ body, headers, url: 'https://example.com/seite', userAgent: 'FooBot/1.0', maxLinks: 100 });

it('shows what the parser sees, with links resolved as a crawl would', () => {
  const seen = inspect(Buffer.from(page), ['X-Robots-Tag', 'noarchive']);
  expect(seen).toMatchObject({ title: 'Käse & Brot', language: 'de', charset: 'utf-8', images: 1 });
  expect(seen.canonicalUrl).toMatch(/^https:\/\/example\.com\//);
  expect(seen.robots).toMatchObject({ isNofollow: true, isNoarchive: true, isNoindex: false });
  expect(seen.links.filter(({ kind }) => kind === 'anchor')).toMatchObject([
    { url: 'https://example.com/unter/a', nofollow: false },
    { url: 'https://example.com/b', nofollow: true },
  ]);
  expect(seen.simhash).toMatch(/^[0-9a-f]{16}$/);
  expect(seen.article.wordCount).toBeGreaterThan(100);
});

it('reads a page in the charset its Content-Type names', () => {
  const latin = Buffer.from(page, 'latin1');
  expect(inspect(latin, ['content-type', 'text/html; charset=iso-8859-1']).title).toBe('Käse & Brot');
});

it('has an answer for nothing at all', () => {
  expect(inspect(Buffer.alloc(0))).toMatchObject({ title: null, linksSeen: 0, textLength: 0, bytes: 0 });
});
