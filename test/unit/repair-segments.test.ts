import { appendFile, copyFile, readdir, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BodyLocation } from '../../src/engine/store/body-store.ts';
import { iterateSegment } from '../../src/engine/store/iterate-segment.ts';
import { formatMarker } from '../../src/engine/store/open-marker.ts';
import { readExchange } from '../../src/engine/store/read-exchange.ts';
import { repairSegments } from '../../src/engine/store/repair-segments.ts';
import { createWarcStore } from '../../src/engine/store/warc-store.ts';
import { makeDirectory, makeExchange, readWithWarcio } from './archive-fixture.ts';

const DEAD = () => false;

/** A segment of three pages as a writer that was killed leaves it: with its marker. */
async function leaveOpen(syncedCount: number) {
  const directory = await makeDirectory();
  const store = await createWarcStore({
    directory,
    writerId: 'w1',
    owner: 'host:1',
    software: 'forager/test',
  });
  const places: BodyLocation[] = [];
  for (let i = 0; i < 3; i++)
    places.push(await store.append(makeExchange({ url: `https://example.com/${i}` })));
  await store.close();
  const segment = places[0]?.segment ?? '';
  const path = join(directory, segment);
  const syncedBytes = syncedCount === 0 ? 0 : endOf(places[syncedCount - 1]);
  await writeFile(`${path}.open`, formatMarker({ syncedBytes, writerId: 'w1', owner: 'host:1' }));
  return { directory, segment, path, places };
}

function endOf(place: BodyLocation | undefined): number {
  return (place?.offset ?? 0) + (place?.length ?? 0);
}

async function countRecords(path: string): Promise<number> {
  let count = 0;
  for await (const _ of iterateSegment(path)) count++;
  return count;
}

describe('a segment of a dead writer', () => {
  test('that ends anywhere within its last record is cut to the record before', async () => {
    const { directory, segment, path, places } = await leaveOpen(0);
    const whole = `${path}.copy`;
    await copyFile(path, whole);
    const marker = await readFile(`${path}.open`);
    const lastStart = places[2]?.offset ?? 0;
    for (let end = lastStart + 1; end < endOf(places[2]); end += 7) {
      await copyFile(whole, path);
      await truncate(path, end);
      await writeFile(`${path}.open`, marker);
      expect(await countRecords(path)).toBe(3);
      expect(await repairSegments(directory, DEAD)).toEqual([
        { segment, kind: 'cut', cutBytes: end - lastStart },
      ]);
      expect((await stat(path)).size).toBe(lastStart);
    }
    expect(await readWithWarcio(path)).toHaveLength(3);
    expect((await readExchange(directory, places[1] as BodyLocation)).url).toBe('https://example.com/1');
  });

  test('is left as it is when it ends with a whole record', async () => {
    const { directory, segment, path } = await leaveOpen(1);
    const before = await readFile(path);
    expect(await repairSegments(directory, DEAD)).toEqual([{ segment, kind: 'intact', cutBytes: 0 }]);
    expect(await readFile(path)).toEqual(before);
    expect(await readdir(directory)).toEqual([segment]);
    expect(await repairSegments(directory, DEAD)).toEqual([]);
  });

  test('loses the zeros that a power cut put in place of the last pages', async () => {
    const { directory, segment, path } = await leaveOpen(2);
    await appendFile(path, Buffer.alloc(4096));
    expect(await repairSegments(directory, DEAD)).toEqual([{ segment, kind: 'cut', cutBytes: 4096 }]);
    expect(await readWithWarcio(path)).toHaveLength(4);
  });

  test('is never cut before what was synced, which is not even read again', async () => {
    const { directory, path, places } = await leaveOpen(2);
    const bytes = await readFile(path);
    bytes.fill(0, places[0]?.offset, endOf(places[0]));
    await writeFile(path, bytes);
    expect(await repairSegments(directory, DEAD)).toMatchObject([{ kind: 'intact' }]);
    expect((await stat(path)).size).toBe(bytes.length);
  });

  test('is removed when nothing whole is in it, with its draft and its marker', async () => {
    const { directory, segment, path } = await leaveOpen(0);
    await truncate(path, 20);
    await writeFile(`${path}.draft`, 'half a warcinfo');
    expect(await repairSegments(directory, DEAD)).toEqual([{ segment, kind: 'removed', cutBytes: 0 }]);
    expect(await readdir(directory)).toEqual([]);
  });

  test('is repaired from its start when its marker is torn', async () => {
    const { directory, path, places } = await leaveOpen(0);
    await writeFile(`${path}.open`, '');
    await truncate(path, endOf(places[2]) - 1);
    expect(await repairSegments(directory, DEAD)).toMatchObject([{ kind: 'cut' }]);
    expect(await readWithWarcio(path)).toHaveLength(3);
  });

  test('is repaired once by several processes that start together', async () => {
    const { directory, path, places } = await leaveOpen(0);
    await truncate(path, endOf(places[2]) - 1);
    await Promise.all([1, 2, 3].map(() => repairSegments(directory, DEAD)));
    expect(await readWithWarcio(path)).toHaveLength(3);
    expect(await readdir(directory)).toHaveLength(1);
  });
});

test('a segment of a living writer is not touched, and the writer is described to whoever decides', async () => {
  const { directory, path, places } = await leaveOpen(1);
  await truncate(path, endOf(places[2]) - 1);
  const lastSyncedAt = new Date('2026-11-15T07:00:00Z');
  await utimes(`${path}.open`, lastSyncedAt, lastSyncedAt);
  const asked: unknown[] = [];
  const repairs = await repairSegments(directory, (writer) => {
    asked.push(writer);
    return true;
  });
  expect(repairs).toEqual([]);
  expect(asked).toEqual([{ writerId: 'w1', owner: 'host:1', lastSyncedAt }]);
  expect((await stat(path)).size).toBe(endOf(places[2]) - 1);
});

test('other files in the directory, and a missing directory, are no concern of repair', async () => {
  const directory = await makeDirectory();
  await writeFile(join(directory, 'notes.open'), 'mine');
  expect(await repairSegments(directory, DEAD)).toEqual([]);
  expect(await readdir(directory)).toEqual(['notes.open']);
  expect(await repairSegments(join(directory, 'absent'), DEAD)).toEqual([]);
});

test('the marker of a live segment tells how much of it is synced', async () => {
  const directory = await makeDirectory();
  const store = await createWarcStore({ directory, writerId: 'w1', owner: 'me', software: 'forager/test' });
  const place = await store.append(makeExchange());
  const readMarker = () => readFile(join(directory, `${place.segment}.open`), 'utf8');
  expect(await readMarker()).toBe(formatMarker({ syncedBytes: 0, writerId: 'w1', owner: 'me' }));
  await store.sync();
  expect(await readMarker()).toBe(formatMarker({ syncedBytes: endOf(place), writerId: 'w1', owner: 'me' }));
  await store.close();
});
