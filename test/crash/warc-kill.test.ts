import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BodyLocation } from '../../src/engine/store/body-store.ts';
import { iterateSegment } from '../../src/engine/store/iterate-segment.ts';
import { readExchange } from '../../src/engine/store/read-exchange.ts';
import { repairSegments } from '../../src/engine/store/repair-segments.ts';
import {
  expectDigestsHold,
  listSegments,
  makeDirectory,
  makeExchange,
  readWithWarcio,
} from '../unit/archive-fixture.ts';
import { type CompiledStore, compileStore } from './compiled-store.ts';

interface KeptPage {
  readonly url: string;
  readonly body: string;
  readonly location: BodyLocation;
}

type ChildLine =
  | { readonly kept: KeptPage[] }
  | {
      readonly name: string;
      readonly code: string;
      readonly path: string;
      readonly message: string;
      readonly again: string;
    };

let compiled: CompiledStore;
beforeAll(async () => {
  compiled = await compileStore();
});
afterAll(() => compiled.remove());

const CHILD = new URL('./warc-writer-child.mjs', import.meta.url).pathname;

function startWriter(directory: string, writerId: string, maxSegmentBytes: number): ChildProcess {
  const args = [CHILD, compiled.modules, directory, writerId, String(maxSegmentBytes)];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function* readLines(child: ChildProcess): AsyncGenerator<ChildLine> {
  if (!child.stdout) throw new Error('The child has no output.');
  for await (const line of createInterface({ input: child.stdout })) {
    // A killed child may have been in the middle of a line.
    if (line.endsWith('}')) yield JSON.parse(line) as ChildLine;
  }
}

/** Runs a writer until it has synced `syncCount` times, then kills it where it stands. */
async function writeUntilKilled(directory: string, writerId: string, syncCount: number): Promise<KeptPage[]> {
  const child = startWriter(directory, writerId, 400_000);
  const exited = once(child, 'exit');
  const kept: KeptPage[] = [];
  let lines = 0;
  for await (const line of readLines(child)) {
    if (!('kept' in line)) throw new Error(line.message);
    kept.push(...line.kept);
    if (++lines === syncCount) child.kill('SIGKILL');
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
  return kept;
}

async function expectKept(directory: string, pages: readonly KeptPage[]): Promise<void> {
  for (const page of pages) {
    const stored = await readExchange(directory, page.location, page.url);
    expect(stored.rawBody.toString()).toBe(page.body);
  }
}

test('writers killed in mid-write lose no synced record and leave files every tool can read', async () => {
  const directory = await makeDirectory();
  const kept: KeptPage[] = [];
  for (const syncCount of [1, 2, 3, 5, 8, 13]) {
    const pages = await writeUntilKilled(directory, `w${syncCount}`, syncCount);
    kept.push(...pages);
    // Not yet repaired: a reader that meets the tail takes it as the end.
    for (const segment of await listSegments(directory)) {
      let recordCount = 0;
      for await (const _ of iterateSegment(join(directory, segment))) recordCount++;
      expect(recordCount).toBeGreaterThan(0);
    }
    await expectKept(directory, pages);
    const repairs = await repairSegments(directory, () => false);
    expect(repairs.length).toBeLessThanOrEqual(1);
  }
  const found = new Set<string | null>();
  for (const segment of await listSegments(directory)) {
    const records = await readWithWarcio(join(directory, segment));
    expect(records[0]?.type).toBe('warcinfo');
    expectDigestsHold(records);
    for (const record of records) found.add(record.url);
  }
  expect(kept.map((page) => page.url).filter((url) => !found.has(url))).toEqual([]);
  await expectKept(directory, kept);
  const others = (await readdir(directory)).filter((name) => !name.endsWith('.warc.gz'));
  expect(others).toEqual([]);
});

test('a file that may grow no further gives a typed error, then fails fast, and stays valid', async () => {
  const directory = await makeDirectory();
  const args = [CHILD, compiled.modules, directory, 'w1', String(2 ** 30)];
  // The shell counts in blocks of 512 bytes: the process may write files of up to 300 KiB.
  const child = spawn('sh', ['-c', 'ulimit -f 600; exec "$0" "$@"', process.execPath, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const kept: KeptPage[] = [];
  let failure: ChildLine | undefined;
  for await (const line of readLines(child)) {
    if ('kept' in line) kept.push(...line.kept);
    else failure = line;
  }
  expect(await exited).toEqual([0, null]);
  const [segment = ''] = await listSegments(directory);
  expect(failure).toMatchObject({ name: 'StoreError', code: 'EFBIG', again: 'EFBIG' });
  expect(failure).toMatchObject({ path: join(directory, segment) });
  expect(failure).toMatchObject({
    message: expect.stringMatching(/^Page bodies cannot be written to .+\.$/),
  });
  expect(kept.length).toBeGreaterThan(0);
  expectDigestsHold(await readWithWarcio(join(directory, segment)));
  await expectKept(directory, kept);
  // Cut back by the writer itself: nothing is left to repair.
  expect(await readdir(directory)).toEqual([segment]);
});

async function importCompiled(): Promise<typeof import('../../src/engine/store/warc-store.ts')> {
  return import(pathToFileURL(join(compiled.modules, 'warc-store.js')).href);
}

test('the writing thread keeps what was appended and ends with the store', async () => {
  const directory = await makeDirectory();
  const { createWarcStore } = await importCompiled();
  const store = await createWarcStore({ directory, writerId: 'w1', software: 'forager/test', thread: true });
  const rawBody = Buffer.from('taken from the pool that small buffers share');
  const places = await Promise.all(
    Array.from({ length: 300 }, (_, i) =>
      store.append(makeExchange({ rawBody, url: `https://example.com/${i}` })),
    ),
  );
  await store.sync();
  // The caller's memory was copied, not handed over.
  expect(rawBody.toString()).toBe('taken from the pool that small buffers share');
  for (const [i, place] of places.entries()) {
    const stored = await readExchange(directory, place, `https://example.com/${i}`);
    expect(stored.rawBody).toEqual(rawBody);
  }
  await store.close();
  await expect(store.append(makeExchange())).rejects.toMatchObject({ code: 'CLOSED' });
});

test('a thread that cannot start is reported as such', async () => {
  const directory = await makeDirectory();
  // From TypeScript sources Node 20 has no thread to start; newer versions do.
  const { createWarcStore } = await import('../../src/engine/store/warc-store.ts');
  const opening = createWarcStore({ directory, writerId: 'w1', software: 'forager/test', thread: true });
  if ('typescript' in process.features && process.features.typescript) {
    await (await opening).close();
  } else {
    await expect(opening).rejects.toMatchObject({ code: 'THREAD_FAILED', path: directory });
  }
});
