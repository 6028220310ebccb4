import { readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BodyLocation } from '../../src/engine/store/body-store.ts';
import { iterateSegment } from '../../src/engine/store/iterate-segment.ts';
import { readExchange } from '../../src/engine/store/read-exchange.ts';
import { createWarcStore } from '../../src/engine/store/warc-store.ts';
import { makeDirectory, makeExchange } from './archive-fixture.ts';

const BODY = Buffer.from('<p>paragraph</p>'.repeat(200));

async function archiveTwo(compressionLevel = 1) {
  const directory = await makeDirectory();
  const store = await createWarcStore({
    directory,
    writerId: 'w1',
    software: 'forager/test',
    compressionLevel,
  });
  const first = await store.append(makeExchange({ rawBody: BODY, url: 'https://example.com/1' }));
  const repeat = await store.append(makeExchange({ rawBody: BODY, url: 'https://example.com/2' }));
  await store.close();
  return { directory, first, repeat, path: join(directory, first.segment) };
}

describe('a location that cannot be right is refused before any file is opened', () => {
  test.each([
    '../../../etc/passwd',
    '/etc/passwd',
    'forager-20261115T074318Z-w1-00000.warc.gz/../secret',
    'forager-20261115T074318Z-w1-00000.warc.gz\0.txt',
    '',
    'other.warc.gz',
  ])('segment %j', async (segment) => {
    const reading = readExchange('/nowhere', { segment, offset: 0, length: 10 });
    await expect(reading).rejects.toMatchObject({ name: 'StoreError', code: 'BAD_LOCATION' });
  });

  test.each([
    [-1, 10],
    [0.5, 10],
    [0, 0],
    [0, 2 ** 40],
    [Number.NaN, 1],
  ])('offset %d, length %d', async (offset, length) => {
    const segment = 'forager-20261115T074318Z-w1-00000.warc.gz';
    await expect(readExchange('/nowhere', { segment, offset, length })).rejects.toMatchObject({
      code: 'BAD_LOCATION',
    });
  });
});

describe('reading says clearly what is wrong', () => {
  test('when the segment is gone', async () => {
    const { directory, first } = await archiveTwo();
    const gone = { ...first, segment: first.segment.replace('00000', '00007') };
    await expect(readExchange(directory, gone)).rejects.toMatchObject({
      code: 'MISSING_SEGMENT',
      message: expect.stringMatching(/cannot be read: it is gone\.$/),
    });
  });

  test('when the segment is a link to somewhere else', async () => {
    const { directory, first, path } = await archiveTwo();
    const segment = first.segment.replace('00000', '00007');
    await symlink(path, join(directory, segment));
    await expect(readExchange(directory, { ...first, segment })).rejects.toMatchObject({
      code: 'MISSING_SEGMENT',
    });
  });

  test('when the record lies beyond the end', async () => {
    const { directory, repeat, path } = await archiveTwo();
    await truncate(path, repeat.offset + 5);
    await expect(readExchange(directory, repeat)).rejects.toMatchObject({ code: 'MISSING_RECORD' });
  });

  test('when the place is another one than a record', async () => {
    const { directory, first, repeat } = await archiveTwo();
    const places: BodyLocation[] = [
      { ...first, offset: first.offset + 1 },
      { ...first, length: first.length - 1 },
      { ...first, length: first.length + repeat.length },
      { ...first, offset: 0, length: first.offset },
    ];
    for (const place of places) {
      await expect(readExchange(directory, place)).rejects.toMatchObject({ code: 'CORRUPT_RECORD' });
    }
  });

  test('when any byte of the compressed record was flipped', async () => {
    const { directory, first, path } = await archiveTwo();
    const bytes = await readFile(path);
    const whole = await readExchange(directory, first);
    let noticed = 0;
    for (let i = first.offset + 10; i < first.offset + first.length; i += 23) {
      const damaged = Buffer.from(bytes);
      damaged[i] = (damaged[i] ?? 0) ^ 0x40;
      await writeFile(path, damaged);
      const read = await readExchange(directory, first).catch((error: unknown) => error);
      if (read instanceof Error) {
        expect(read).toMatchObject({ code: 'CORRUPT_RECORD' });
        noticed += 1;
        // The last byte of the compressed data may have bits that mean nothing.
      } else expect(read).toEqual(whole);
    }
    expect(noticed).toBeGreaterThanOrEqual(Math.floor((first.length - 10) / 23) - 1);
  });

  test('when the record is of another URL', async () => {
    const { directory, first } = await archiveTwo();
    await expect(readExchange(directory, first, 'https://example.com/2')).rejects.toMatchObject({
      code: 'WRONG_URL',
      message: expect.stringContaining('holds https://example.com/1, not https://example.com/2.'),
    });
  });

  test('when a repeat has lost its original', async () => {
    const { directory, first, repeat, path } = await archiveTwo();
    const bytes = await readFile(path);
    bytes.fill(0, first.offset, first.offset + first.length);
    await writeFile(path, bytes);
    await expect(readExchange(directory, repeat)).rejects.toMatchObject({ code: 'CORRUPT_RECORD' });
  });
});

describe('walking a segment', () => {
  test('gives every record with its fields, its place and its block', async () => {
    const { first, repeat, path } = await archiveTwo();
    const records = [];
    for await (const record of iterateSegment(path)) records.push(record);
    expect(records.map((record) => record.headers[1])).toEqual(['warcinfo', 'response', 'revisit']);
    expect(records.map(({ offset, length }) => ({ offset, length }))).toEqual([
      { offset: 0, length: first.offset },
      { offset: first.offset, length: first.length },
      { offset: repeat.offset, length: repeat.length },
    ]);
    expect(records[1]?.block.subarray(-BODY.length)).toEqual(BODY);
  });

  test('passes records larger than its window', async () => {
    const directory = await makeDirectory();
    const store = await createWarcStore({
      directory,
      writerId: 'w1',
      software: 'forager/test',
      compressionLevel: 0,
    });
    const rawBody = Buffer.alloc(3_500_000, 'x');
    const large = await store.append(makeExchange({ rawBody }));
    const small = await store.append(makeExchange());
    await store.close();
    const offsets = [];
    for await (const record of iterateSegment(join(directory, large.segment))) offsets.push(record.offset);
    expect(offsets.slice(1)).toEqual([large.offset, small.offset]);
  });

  test('stops with an error at a record that is damaged', async () => {
    // Stored, so that the damage is to the text: damage to a deflate stream may make it seem to go on.
    const { first, path } = await archiveTwo(0);
    const bytes = await readFile(path);
    bytes.fill(0xff, first.offset + 20, first.offset + 60);
    await writeFile(path, bytes);
    const walk = async () => {
      for await (const _ of iterateSegment(path));
    };
    await expect(walk()).rejects.toMatchObject({ code: 'CORRUPT_RECORD' });
  });
});
