import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readSeedList, type SeedItem } from '../../src/engine/seeds/read-seed-list.ts';
import { MAX_LINE_BYTES } from '../../src/engine/seeds/text-lines.ts';

/** In pieces of `pieceBytes`, so that lines and characters are cut anywhere. */
async function read(content: string | Buffer, pieceBytes = 1 << 20): Promise<SeedItem[]> {
  const bytes = Buffer.from(content);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const items: SeedItem[] = [];
  for await (const some of readSeedList(pieces(), { stripTrailingSlash: false, allowPrivate: false })) {
    items.push(...some);
  }
  return items;
}

async function readRanks(content: string | Buffer, pieceBytes?: number): Promise<unknown[]> {
  const items = await read(content, pieceBytes);
  return items.map((item) =>
    item.kind === 'seed' ? [item.seed.candidate.url, item.rank] : `${item.number}: ${item.reason}`,
  );
}

const A = 'https://a.example/';
const B = 'https://b.example/';
const C = 'https://c.example/x,5';

describe('the form of a list', () => {
  it.each([
    [
      'one a line',
      'a.example\nhttps://b.example/\n',
      [
        [A, undefined],
        [B, undefined],
      ],
    ],
    [
      'no line break at the end',
      'a.example\nb.example',
      [
        [A, undefined],
        [B, undefined],
      ],
    ],
    [
      'comments and empty lines',
      '# list\n\na.example\n   \n  # b\nb.example\n',
      [
        [A, undefined],
        [B, undefined],
      ],
    ],
    [
      'a BOM and CRLF',
      '\ufeffa.example\r\nb.example\r\n',
      [
        [A, undefined],
        [B, undefined],
      ],
    ],
    [
      'a comma in a URL of a plain list',
      'a.example\nhttps://c.example/x,5\nb.example',
      [
        [A, undefined],
        [C, undefined],
        [B, undefined],
      ],
    ],
    [
      'Tranco',
      '1,a.example\r\n2,b.example\r\n',
      [
        [A, 1],
        [B, 2],
      ],
    ],
    [
      'Tranco after a BOM',
      '\ufeff1,a.example\n2,b.example\n',
      [
        [A, 1],
        [B, 2],
      ],
    ],
    [
      'site before rank',
      'a.example,7\nb.example,8\n',
      [
        [A, 7],
        [B, 8],
      ],
    ],
    [
      'tabs',
      '1\ta.example\n2\tb.example\n',
      [
        [A, 1],
        [B, 2],
      ],
    ],
    ['semicolons and quotes', '"Rank";"Domain";"Open Page Rank"\n"1";"a.example";"10.00"\n', [[A, 1]]],
    [
      'Majestic',
      'GlobalRank,TldRank,Domain,TLD,RefSubNets,IDN_Domain\n1,9,a.example,example,5,a.example\n',
      [[A, 1]],
    ],
    [
      'Radar',
      'rank,domain,categories\n1,a.example,"News; ""Media"", and more"\n2,b.example,\n',
      [
        [A, 1],
        [B, 2],
      ],
    ],
    ['CrUX', 'origin,rank\nhttps://a.example,1000\n', [[A, 1000]]],
    ['a header and no rank', 'name,website\nAda,a.example\n', [[A, undefined]]],
    [
      'a header of one column',
      'domain\na.example\nb.example\n',
      [
        [A, undefined],
        [B, undefined],
      ],
    ],
    [
      'a row with no rank',
      'rank,domain\n,a.example\n2,b.example',
      [
        [A, undefined],
        [B, 2],
      ],
    ],
    ['nothing', '', []],
    ['nothing but a header', 'rank,domain\n', []],
  ])('%s', async (_name, content, expected) => {
    expect(await readRanks(content)).toEqual(expected);
    expect(await readRanks(content, 1)).toEqual(expected);
    expect(await readRanks(gzipSync(content), 7)).toEqual(expected);
  });

  it('several gzip files one after the other are one list', async () => {
    const packed = Buffer.concat([gzipSync('1,a.example\n'), gzipSync('2,b.example\n')]);
    expect(await readRanks(packed)).toEqual([
      [A, 1],
      [B, 2],
    ]);
  });

  it('a bad line among the first does not change what the list is', async () => {
    expect(await readRanks('oops\n2,a.example\n3,b.example\n')).toEqual([
      expect.stringMatching(/^1: .*no dot/),
      [A, 2],
      [B, 3],
    ]);
  });
});

describe('a bad line', () => {
  it('is told by its number, and the others are read', async () => {
    const content =
      '# a\r\n1,a.example\r\n\r\n2,co.uk\r\n0,c.example\r\nx,c.example\r\n99999999999,c.example\r\n9,b.example\r\n1,a.example\r\n1,a.example\r\n1,a.example\r\n';
    expect((await readRanks(content, 5)).slice(0, 6)).toEqual([
      [A, 1],
      expect.stringMatching(/^4: .*public suffix/),
      expect.stringMatching(/^5: its rank/),
      expect.stringMatching(/^6: its rank/),
      expect.stringMatching(/^7: its rank/),
      [B, 9],
    ]);
  });

  it('that never ends is cut off, and the next one has its own number', async () => {
    const content = `a.example\n${'x'.repeat(MAX_LINE_BYTES * 3)}\nco.uk\nb.example`;
    for (const pieceBytes of [1000, 1 << 20]) {
      const items = await read(content, pieceBytes);
      expect(items.map((item) => (item.kind === 'bad' ? item.number : 'seed'))).toEqual([
        'seed',
        2,
        3,
        'seed',
      ]);
      expect(items[1]).toMatchObject({ reason: expect.stringContaining('longer than') });
      expect(items[1]?.kind === 'bad' && items[1].text.length).toBe(MAX_LINE_BYTES);
    }
  });

  it('of bytes that are no text is told as such', async () => {
    const items = await read(Buffer.from([0x61, 0xff, 0xfe, 0x2e, 0x64, 0x65, 0x0a]));
    expect(items).toEqual([
      expect.objectContaining({ kind: 'bad', reason: expect.stringContaining('UTF-8') }),
    ]);
  });

  it('is also a private address', async () => {
    expect(await readRanks('10.0.0.1\n')).toEqual([expect.stringContaining('--allow-private')]);
  });
});

it('a gzip file that breaks off is an error, not a short list', async () => {
  const packed = gzipSync(`${'a.example\n'.repeat(10_000)}`);
  await expect(read(packed.subarray(0, packed.length - 20))).rejects.toMatchObject({
    code: expect.stringMatching(/^Z_/),
  });
});
