import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  readSitemap,
  type SitemapEntry,
  type SitemapSummary,
  wellKnownSitemap,
} from '../../src/engine/frontier/sitemap.ts';

interface Reading {
  readonly entries: SitemapEntry[];
  readonly locs: string[];
  readonly batchSizes: number[];
  readonly summary: SitemapSummary;
}

async function* split(body: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array, void> {
  for (let start = 0; start < body.length; start += chunkBytes)
    yield body.subarray(start, start + chunkBytes);
}

async function drain(chunks: AsyncIterable<Uint8Array>, caps: { maxBytes?: number; maxUrls?: number } = {}) {
  const options = {
    url: 'https://h.example/maps/sitemap.xml',
    maxBytes: 50_000_000,
    maxUrls: 50_000,
    ...caps,
  };
  const reading: Omit<Reading, 'summary' | 'locs'> = { entries: [], batchSizes: [] };
  const batches = readSitemap(chunks, options);
  for (;;) {
    const next = await batches.next();
    if (next.done === true) {
      return {
        ...reading,
        locs: reading.entries.map((entry) => entry.loc),
        summary: next.value,
      } satisfies Reading;
    }
    reading.batchSizes.push(next.value.length);
    reading.entries.push(...next.value);
  }
}

function read(body: string | Uint8Array, caps?: { maxBytes?: number; maxUrls?: number }): Promise<Reading> {
  return drain(split(typeof body === 'string' ? Buffer.from(body) : body, 1 << 16), caps);
}

function urlset(inner: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">${inner}</urlset>`;
}

describe('an XML sitemap', () => {
  test('gives each page with what is said of it', async () => {
    const { entries, summary } = await read(
      urlset(`
  <url>
    <loc> https://h.example/a?x=1&amp;y=%20&#x26;z&#61;2 </loc>
    <lastmod>2024-03-09T10:20:30+01:00</lastmod>
    <changefreq>Weekly</changefreq>
    <priority>0.8</priority>
  </url>
  <url><loc>https://h.example/b</loc></url>`),
    );
    expect(entries).toEqual([
      {
        kind: 'url',
        loc: 'https://h.example/a?x=1&y=%20&z=2',
        lastmod: new Date('2024-03-09T09:20:30Z'),
        changefreq: 'weekly',
        priority: 0.8,
      },
      { kind: 'url', loc: 'https://h.example/b' },
    ]);
    expect(summary).toMatchObject({ kind: 'complete', urlCount: 2 });
  });

  test('leaves out values that are none', async () => {
    const { entries } = await read(
      urlset(`<url><loc>https://h.example/</loc><lastmod>soon</lastmod><changefreq>often</changefreq>
        <priority>7</priority></url><url><loc>https://h.example/2</loc><priority>high</priority><lastmod/></url>`),
    );
    expect(entries).toEqual([
      { kind: 'url', loc: 'https://h.example/' },
      { kind: 'url', loc: 'https://h.example/2' },
    ]);
  });

  test('may be an index of others', async () => {
    const { entries } = await read(
      '<sitemapindex xmlns="x"><sitemap><loc>https://h.example/1.xml.gz</loc><lastmod>2024-01-02</lastmod></sitemap>' +
        '<sitemap><loc>https://h.example/2.xml</loc><priority>1</priority></sitemap></sitemapindex>',
    );
    expect(entries).toEqual([
      { kind: 'sitemap', loc: 'https://h.example/1.xml.gz', lastmod: new Date('2024-01-02') },
      { kind: 'sitemap', loc: 'https://h.example/2.xml' },
    ]);
  });

  test('counts only the location of the page, not those of images, videos and alternates', async () => {
    const { locs } = await read(
      urlset(`<url>
        <image:image><image:loc>https://cdn.example/0.jpg</image:loc></image:image>
        <image:loc>https://cdn.example/1.jpg</image:loc>
        <xhtml:link rel="alternate" hreflang="de" href="https://h.example/de > en"/>
        <video:video><loc>https://cdn.example/v</loc><video:player_loc>https://cdn.example/p</video:player_loc></video:video>
        <loc>https://h.example/a</loc>
        <loc>https://h.example/second</loc>
        <news:news><news:publication><news:name>N</news:name></news:publication></news:news>
      </url><image:loc>https://cdn.example/2.jpg</image:loc><loc>https://h.example/outside</loc>`),
    );
    expect(locs).toEqual(['https://h.example/a']);
  });

  test('may carry a prefix throughout', async () => {
    const { locs } = await read(
      '<sm:urlset xmlns:sm="x"><sm:url><sm:loc>https://h.example/a</sm:loc></sm:url>' +
        '<url><loc>https://h.example/foreign</loc></url></sm:urlset>',
    );
    expect(locs).toEqual(['https://h.example/a']);
  });

  test('may use CDATA, comments, instructions and entities anywhere', async () => {
    const { locs } = await read(
      `\ufeff <?xml version="1.0"?><?xml-stylesheet href="a>b"?><!-- <url><loc>https://h.example/no</loc></url> -->
      <!DOCTYPE urlset [ <!ENTITY x "https://h.example/"> <!-- > --> ]>
      <urlset><url><loc><![CDATA[https://h.example/a?b=1&c=<2>]]></loc></url>
      <url><loc>https://h.example/<!-- here -->b<![CDATA[&amp;]]>&amp;&quot;&apos;&lt;&gt;</loc></url>
      <url><loc>https://h.example/&x;&unknown;&#0;&#xD800;</loc></url></urlset>`,
    );
    expect(locs).toEqual([
      'https://h.example/a?b=1&c=<2>',
      `https://h.example/b&amp;&"'<>`,
      'https://h.example/&x;&unknown;&#0;&#xD800;',
    ]);
  });

  test('expands nothing it declares itself', async () => {
    const { locs, summary } = await read(
      `<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">
       <!ENTITY f SYSTEM "file:///etc/passwd">]><urlset><url><loc>https://h.example/&b;&f;</loc></url></urlset>`,
    );
    expect(locs).toEqual(['https://h.example/&b;&f;']);
    expect(summary.kind).toBe('complete');
  });

  test('may be empty', async () => {
    expect((await read(urlset(''))).summary).toMatchObject({ kind: 'complete', urlCount: 0 });
    expect((await read('<urlset/>')).summary.kind).toBe('complete');
  });

  test('reads the same however it is cut into chunks', async () => {
    const body = Buffer.from(
      urlset(
        `<url><loc>https://h.example/é?a=1&amp;b=ツ</loc><!-- x --><lastmod>2024-03-09</lastmod></url>
         <url><loc><![CDATA[https://h.example/c]]></loc></url><url lang='a>b'><loc>https://h.example/d</loc></url>`.repeat(
          40,
        ),
      ),
    );
    const whole = await read(body);
    expect(whole.entries).toHaveLength(120);
    for (const chunkBytes of [1, 2, 3, 7, 61]) {
      expect((await drain(split(body, chunkBytes))).entries).toEqual(whole.entries);
    }
  });

  test('reads the same across its inner seams', async () => {
    // Text is scanned in pieces of some ten thousand characters: put every kind of markup on every seam.
    const unit = '<url><!----><loc>https://h.example/&amp;<![CDATA[]]]]></loc><?p ?><x a="&gt;>"/></url>';
    for (let shift = 0; shift < unit.length; shift += 1) {
      const { entries } = await drain(
        split(Buffer.from(urlset(' '.repeat(shift) + unit.repeat(1000))), 10_000),
      );
      expect(entries).toHaveLength(1000);
      expect(new Set(entries.map((entry) => entry.loc))).toEqual(new Set(['https://h.example/&]]']));
    }
  });

  test.each([
    ['relative', '/a', 'https://h.example/a'],
    ['relative to its folder', 'b', 'https://h.example/maps/b'],
    ['without a scheme', '//other.example/c', 'https://other.example/c'],
  ])('may name a page %s', async (_name, written, loc) => {
    expect((await read(urlset(`<url><loc>${written}</loc></url>`))).locs).toEqual([loc]);
  });

  test.each([
    ['nothing', ''],
    ['blank space', '  '],
    ['a mail address', 'mailto:a@h.example'],
    ['a script', 'javascript:1'],
    ['a scheme alone', 'https://'],
    ['another scheme', 'ftp://h.example/'],
    ['five thousand characters', `https://h.example/${'x'.repeat(5000)}`],
  ])('leaves out what is no web page: %s', async (_name, written) => {
    const { locs } = await read(
      urlset(`<url><loc>${written}</loc></url><url><loc>https://h.example/</loc></url>`),
    );
    expect(locs).toEqual(['https://h.example/']);
  });
});

describe('a broken XML sitemap', () => {
  test.each<[string, string, string[]]>([
    [
      'ends in mid-tag',
      '<urlset><url><loc>https://h.example/1</loc></url><url><loc>https://h.example/2</lo',
      ['1'],
    ],
    [
      'ends in mid-URL',
      '<urlset><url><loc>https://h.example/1</loc></url><url><loc>https://h.example/2',
      ['1'],
    ],
    [
      'ends in mid-entry',
      '<urlset><url><loc>https://h.example/1</loc></url><url><loc>https://h.example/2</loc>',
      ['1', '2'],
    ],
    [
      'leaves an entry open',
      '<urlset><url><loc>https://h.example/1</loc><url><loc>https://h.example/2</loc></url></urlset>',
      ['1', '2'],
    ],
    [
      'leaves a location open',
      '<urlset><url><loc>https://h.example/1<lastmod>2024</lastmod></url><url><loc>https://h.example/2</url></urlset>',
      ['1', '2'],
    ],
    [
      'closes what was not open',
      '<urlset></x><url></loc><loc>https://h.example/1</loc></b></url></urlset></urlset>',
      ['1'],
    ],
    [
      'leaves extensions open',
      '<urlset><url><loc>https://h.example/1</loc><image:image></url><url><loc>https://h.example/2</loc></url></urlset>',
      ['1', '2'],
    ],
    [
      'breaks a tag',
      '<urlset><url <url><loc>https://h.example/1</loc></url><a href="><url><loc>https://h.example/2</loc></url></urlset>',
      ['1', '2'],
    ],
    ['forgets to escape', '<urlset><url><loc>https://h.example/1?a&b=&c</loc></url></urlset>', ['1?a&b=&c']],
    [
      'has no root',
      '<url><loc>https://h.example/1</loc></url><url><loc>https://h.example/2</loc></url>',
      ['1', '2'],
    ],
    [
      'comes after a warning',
      'PHP Warning: in <b>x</b>\n<?xml version="1.0"?><urlset><url><loc>https://h.example/1</loc></url></urlset>',
      ['1'],
    ],
    ['shouts', '<URLSET><URL><LOC>https://h.example/1</LOC></URL></URLSET>', ['1']],
  ])('that %s gives what can be read', async (_name, body, pages) => {
    const { locs } = await read(body);
    expect(locs).toEqual(pages.map((page) => `https://h.example/${page}`));
  });

  test('with a tag that never ends goes on after it', async () => {
    const { locs } = await read(
      urlset(
        `<url><loc>https://h.example/1</loc></url><x ${'y'.repeat(100_000)}<url><loc>https://h.example/2</loc></url>`,
      ),
    );
    expect(locs).toEqual(['https://h.example/1', 'https://h.example/2']);
  });
});

describe('a feed', () => {
  test('in RSS 2.0 gives its items', async () => {
    const { entries } = await read(`<?xml version="1.0"?><rss version="2.0" xmlns:atom="a"><channel>
      <title>T</title><link>https://h.example/</link><atom:link href="https://h.example/feed" rel="self"/>
      <image><link>https://h.example/logo</link></image>
      <item><title>One</title><link>https://h.example/1</link><guid isPermaLink="false">x1</guid>
        <pubDate>Sat, 09 Mar 2024 10:20:30 GMT</pubDate></item>
      <item><guid>https://h.example/2</guid></item>
      <item><guid isPermaLink="false">https://h.example/3</guid></item>
      <item><atom:link href="https://h.example/4"/><source><link>https://h.example/5</link></source></item>
    </channel></rss>`);
    expect(entries).toEqual([
      { kind: 'url', loc: 'https://h.example/1', lastmod: new Date('2024-03-09T10:20:30Z') },
      { kind: 'url', loc: 'https://h.example/2' },
    ]);
  });

  test('in RSS 1.0 gives its items', async () => {
    const { entries } = await read(`<rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/"><channel>
      <link>https://h.example/</link></channel><item rdf:about="x"><link>https://h.example/1</link>
      <dc:date>2024-03-09</dc:date></item></rdf:RDF>`);
    expect(entries).toEqual([{ kind: 'url', loc: 'https://h.example/1', lastmod: new Date('2024-03-09') }]);
  });

  test('in Atom gives its entries', async () => {
    const { entries } = await read(`<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">
      <link href="https://h.example/"/><link rel="self" href="https://h.example/feed"/>
      <entry><link rel="edit" href="https://h.example/edit"/><link rel="alternate" href="https://h.example/1?a&amp;b"/>
        <updated>2024-03-09T10:20:30Z</updated><published>2023-01-01T00:00:00Z</published></entry>
      <entry><link href='/2'></link><published>2023-01-01T00:00:00Z</published></entry>
      <entry><id>urn:x</id><content><link href="https://h.example/no"/></content></entry></feed>`);
    expect(entries).toEqual([
      { kind: 'url', loc: 'https://h.example/1?a&b', lastmod: new Date('2024-03-09T10:20:30Z') },
      { kind: 'url', loc: 'https://h.example/2', lastmod: new Date('2023-01-01') },
    ]);
  });
});

describe('a plain list', () => {
  test('gives each line that is a URL', async () => {
    const { entries, summary } = await read(
      '\ufeffhttps://h.example/1\r\n\r\n  HTTP://h.example/2?a&amp;b  \rnot a url\n# https://h.example/no\nhttps://h.example/3',
    );
    expect(entries).toEqual([
      { kind: 'url', loc: 'https://h.example/1' },
      { kind: 'url', loc: 'HTTP://h.example/2?a&amp;b' },
      { kind: 'url', loc: 'https://h.example/3' },
    ]);
    expect(summary.kind).toBe('complete');
  });

  test('reads the same however it is cut into chunks', async () => {
    const body = Buffer.from(
      Array.from({ length: 300 }, (_, index) => `https://h.example/ö${index}`).join('\r\n'),
    );
    const whole = await read(body);
    expect(whole.entries).toHaveLength(300);
    expect((await drain(split(body, 5))).entries).toEqual(whole.entries);
  });

  test('passes over an endless line', async () => {
    const { locs } = await read(
      `https://h.example/1\nhttps://h.example/${'x'.repeat(200_000)}\nhttps://h.example/2`,
    );
    expect(locs).toEqual(['https://h.example/1', 'https://h.example/2']);
  });
});

describe('what is no sitemap', () => {
  test.each([
    ['nothing', ''],
    ['one octet', 'x'],
    ['blank space', ' \n \n'],
    ['a page', '<!doctype html><html><body><a href="https://h.example/">x</a></body></html>'],
    ['other XML', '<?xml version="1.0"?><catalog><book><loc>https://h.example/</loc></book></catalog>'],
    ['JSON', '{"url":"https://h.example/"}'],
    ['prose', 'Not found.\nTry https://h.example/ instead.'],
    ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 0xff])],
    ['markup that ends at once', '<'],
  ])('is called that: %s', async (_name, body) => {
    expect((await read(body)).summary).toMatchObject({ kind: 'not-a-sitemap', urlCount: 0 });
  });

  test('is left early, not read to the end', async () => {
    let chunkCount = 0;
    async function* endless(): AsyncGenerator<Uint8Array, void> {
      for (;;) {
        chunkCount += 1;
        yield Buffer.from('<p>words</p>\n'.repeat(1000));
      }
    }
    expect((await drain(endless())).summary.kind).toBe('not-a-sitemap');
    expect(chunkCount).toBeLessThan(20);
  });
});

describe('gzip', () => {
  const plain = urlset('<url><loc>https://h.example/a</loc></url>'.repeat(2000));

  test('is known by its first octets, also when they come one by one', async () => {
    const packed = gzipSync(plain);
    expect((await read(packed)).summary).toEqual({
      kind: 'complete',
      urlCount: 2000,
      byteCount: plain.length,
    });
    expect((await drain(split(packed, 1))).summary.urlCount).toBe(2000);
  });

  test('may hold several members', async () => {
    const packed = Buffer.concat([gzipSync(plain.slice(0, 5000)), gzipSync(plain.slice(5000))]);
    expect((await read(packed)).summary).toMatchObject({ kind: 'complete', urlCount: 2000 });
  });

  test('cut short gives what came before', async () => {
    const packed = gzipSync(
      Array.from({ length: 20_000 }, (_, i) => `https://h.example/${i * 7919}`).join('\n'),
    );
    const { locs, summary } = await read(packed.subarray(0, packed.length >> 1));
    expect(summary.kind).toBe('bad-gzip');
    expect(summary.urlCount).toBe(locs.length);
    expect(locs.length).toBeGreaterThan(1000);
    expect(locs).toEqual(Array.from({ length: locs.length }, (_, i) => `https://h.example/${i * 7919}`));
  });

  test.each([
    ['is only its magic', Buffer.from([0x1f, 0x8b])],
    [
      'holds rubbish',
      Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), Buffer.alloc(500, 0xff)]),
    ],
    ['has a bad checksum', gzipSync(plain).fill(0, gzipSync(plain).length - 8)],
  ])('that %s is called bad', async (_name, body) => {
    expect((await read(body)).summary.kind).toBe('bad-gzip');
  });

  test('that unpacks without end stops at the cap, and its source is closed', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000, `${urlset('').slice(0, -9)}<!--${'x'.repeat(10_000)}`));
    let isClosed = false;
    async function* source(): AsyncGenerator<Uint8Array, void> {
      try {
        yield* split(bomb, 1000);
      } finally {
        isClosed = true;
      }
    }
    const { summary } = await drain(source(), { maxBytes: 1_000_000 });
    expect(summary).toEqual({ kind: 'truncated-bytes', urlCount: 0, byteCount: 1_000_000 });
    await expect.poll(() => isClosed).toBe(true);
  });
});

describe('the caps', () => {
  const list = Array.from({ length: 2000 }, (_, index) => `https://h.example/${index}\n`).join('');

  test('on URLs let through that many, and say when there were more', async () => {
    expect((await read(list, { maxUrls: 2000 })).summary).toMatchObject({ kind: 'complete', urlCount: 2000 });
    const { locs, summary } = await read(list, { maxUrls: 1999 });
    expect(summary).toMatchObject({ kind: 'truncated-urls', urlCount: 1999 });
    expect(locs).toHaveLength(1999);
    expect((await read(list, { maxUrls: 0 })).summary).toMatchObject({ kind: 'truncated-urls', urlCount: 0 });
  });

  test('on bytes let through that many, and never half a URL', async () => {
    const size = Buffer.byteLength(list);
    expect((await read(list, { maxBytes: size })).summary).toMatchObject({
      kind: 'complete',
      byteCount: size,
    });
    for (let maxBytes = size - 30; maxBytes < size; maxBytes += 1) {
      const { locs, summary } = await read(list, { maxBytes });
      expect(summary).toMatchObject({ kind: 'truncated-bytes', byteCount: maxBytes });
      expect(locs).toEqual(Array.from({ length: locs.length }, (_, index) => `https://h.example/${index}`));
    }
    const xml = urlset(
      '<url><loc>https://h.example/one</loc></url><url><loc>https://h.example/two</loc></url>',
    );
    for (let maxBytes = 0; maxBytes < xml.length; maxBytes += 1) {
      const { locs } = await read(xml, { maxBytes });
      expect(['https://h.example/one', 'https://h.example/two'].slice(0, locs.length)).toEqual(locs);
    }
  });

  test('keep batches small however many URLs there are', async () => {
    async function* many(): AsyncGenerator<Uint8Array, void> {
      yield Buffer.from('<urlset>');
      for (let index = 0; index < 30_000; index += 1)
        yield Buffer.from(`<url><loc>https://h.example/${index}</loc></url>`);
    }
    const { batchSizes, summary } = await drain(many());
    expect(summary).toMatchObject({ kind: 'complete', urlCount: 30_000 });
    expect(Math.max(...batchSizes)).toBeLessThan(2000);
  });
});

describe('the encoding', () => {
  const text =
    '<?xml version="1.0" encoding="ENC"?><urlset><url><loc>https://h.example/é</loc></url></urlset>';

  test.each([
    ['Latin-1 as declared', Buffer.from(text.replace('ENC', 'ISO-8859-1'), 'latin1')],
    ['Windows-1252 as declared', Buffer.from(text.replace('ENC', 'windows-1252'), 'latin1')],
    ['UTF-8 as declared', Buffer.from(text.replace('ENC', 'utf-8'))],
    ['UTF-8 when the declared one is unknown', Buffer.from(text.replace('ENC', 'x-klingon'))],
    ['UTF-8 when it says UTF-16 in single octets', Buffer.from(text.replace('ENC', 'UTF-16'))],
    ['UTF-16 by its mark', Buffer.from(`\ufeff${text.replace('ENC', 'UTF-16')}`, 'utf16le')],
    ['UTF-16 by its look', Buffer.from(text.replace('ENC', 'UTF-16'), 'utf16le')],
    [
      'UTF-16, the other way round',
      Buffer.from(`\ufeff${text.replace('ENC', 'UTF-16')}`, 'utf16le').swap16(),
    ],
  ])('is %s', async (_name, body) => {
    expect((await drain(split(body, 3))).locs).toEqual(['https://h.example/é']);
  });

  test('may be broken without harm', async () => {
    const body = Buffer.concat([
      Buffer.from('<urlset><url><loc>https://h.example/'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('</loc></url></urlset>'),
    ]);
    expect((await read(body)).locs).toEqual(['https://h.example/\ufffd\ufffd']);
  });
});

test('an error of the source is passed on, after what was read before it', async () => {
  async function* broken(): AsyncGenerator<Uint8Array, void> {
    yield Buffer.from('https://h.example/a\n'.repeat(3000));
    throw new Error('connection reset');
  }
  const batches = readSitemap(broken(), { url: 'https://h.example/', maxBytes: 1e6, maxUrls: 1e6 });
  expect((await batches.next()).value).not.toHaveLength(0);
  await expect(batches.next()).rejects.toThrow('connection reset');
});

test('who stops reading early closes the source', async () => {
  let isClosed = false;
  async function* source(): AsyncGenerator<Uint8Array, void> {
    try {
      for (;;) yield Buffer.from('https://h.example/a\n'.repeat(3000));
    } finally {
      isClosed = true;
    }
  }
  for await (const batch of readSitemap(source(), {
    url: 'https://h.example/',
    maxBytes: 1e9,
    maxUrls: 1e9,
  })) {
    expect(batch.length).toBeGreaterThan(0);
    break;
  }
  expect(isClosed).toBe(true);
});

test('the well-known place is sitemap.xml at the root', () => {
  expect(wellKnownSitemap('https://h.example')).toBe('https://h.example/sitemap.xml');
});
