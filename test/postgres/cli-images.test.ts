/** Images on the command line: lists, one image, its bytes, what is cleaned up, exports, and what the doctor says. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localBlobStore } from '../../src/engine/images/blob-store.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import type { Handler } from '../origin/site.ts';
import { runTestCrawl } from '../support/crawl-support.ts';
import { picture, SCRIPTED_SVG } from '../support/pictures.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type CliRun, type CliSurroundings, runForager, widestLine } from '../support/run-cli.ts';

let database: TestDatabase;
let origin: Origin;
let directory: string;
let large: Buffer;
let ids: { large: number; small: number };
beforeAll(async () => {
  database = await createTestDatabase();
  origin = await startOrigin();
  directory = mkdtempSync(path.join(os.tmpdir(), 'forager-cli-images-'));
  large = await picture(640, 480, 50, 'jpeg');
  const send =
    (body: Buffer | string): Handler =>
    ({ response }) =>
      void response.writeHead(200, { 'content-type': 'image/png' }).end(body);
  const long = `/${'very-long-'.repeat(15)}.jpg`;
  origin.site('shop', {
    pages: {
      '/': `<!doctype html><title>Shop</title><img src="${long}" alt="Large \u001b[31m=1+1"><img src="/evil.png">
        <img src="${origin.hostUrl('cdn.other', '/small.png')}">`,
      [long]: send(large),
      '/evil.png': send(SCRIPTED_SVG),
    },
  });
  origin.site('cdn.other', { pages: { '/small.png': send(await picture(30, 20)) } });
  const { end } = await runTestCrawl({
    ...{ db: database.db, seeds: [origin.hostUrl('shop', '/')], settings: { imagesMode: 'all' } },
    blobs: localBlobStore(path.join(directory, 'images')),
  });
  expect(end.reason).toBe('complete');
  const { rows } = await database.db.query<{ id: number; width: number }>('select id, width from images');
  const idOf = (width: number): number => rows.find((row) => row.width === width)?.id ?? -1;
  ids = { large: idOf(640), small: idOf(30) };
});
afterAll(async () => {
  await origin.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const run = (args: readonly string[], { env = {}, ...more }: CliSurroundings = {}): Promise<CliRun> =>
  runForager([...args, '--data-dir', directory], {
    env: { DATABASE_URL: database.url, NO_COLOR: '1', ...env },
    ...more,
  });
const forager = (...args: readonly string[]): Promise<CliRun> => run(args);
const domain = (): string => new URL(origin.hostUrl('shop', '/')).host;

describe('image list', () => {
  test.each([
    [[], [640, 30]],
    [['--type', 'jpeg'], [640]],
    [['--min-width', '31'], [640]],
    [['--type', 'gif'], []],
    [['--product', '77'], []],
  ])('%j', async (options, widths) => {
    const { code, stderr, json } = await forager('image', 'list', ...options, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(new Set(json().map(({ width }) => width))).toEqual(new Set(widths));
  });

  test('has those on the pages of a domain, wherever they lie, and goes on below the last', async () => {
    expect((await forager('image', 'list', '--domain', domain(), '--json')).json()).toHaveLength(2);
    const first = await forager('image', 'list', '--limit', '1', '--json');
    const last = first.json()[0]?.id;
    expect(first.stderr).toContain(`--below ${last} `);
    expect((await forager('image', 'list', '--below', String(last), '--json')).json()).toHaveLength(1);
  });

  test('is as wide as the terminal, and in full for a pipe', async () => {
    const piped = await forager('image', 'list');
    expect(piped.stdout).toMatch(/jpeg +640 × 480 .*very-long-\.jpg$/m);
    for (const columns of [80, 50]) {
      for (const more of [[], ['--refused']]) {
        const { stdout } = await run(['image', 'list', ...more], { columns });
        expect(widestLine(stdout), stdout).toBeLessThanOrEqual(columns);
      }
    }
  });

  test('--refused tells what is not kept, and why', async () => {
    const { stdout } = await forager('image', 'list', '--refused');
    expect(stdout).toMatch(/^svg +http.*evil\.png$/m);
    const rows = (await forager('image', 'list', '--refused', '--json')).json();
    expect(rows).toMatchObject([{ code: 'svg', url: origin.hostUrl('shop', '/evil.png') }]);
    expect(Object.keys(rows[0] ?? {})).not.toContain('urlHash');
  });
});

test('image show tells where it lies and where it was seen, without steering the terminal', async () => {
  const { code, stdout } = await forager('image', 'show', String(ids.large));
  expect(code).toBe(0);
  expect(stdout).toMatch(/pixels +640 × 480/);
  expect(stdout).toMatch(/bytes +here/);
  expect(stdout).toContain('page 0');
  expect(stdout).not.toContain('\u001b');
  const [image] = (await forager('image', 'show', String(ids.small), '--json')).json();
  expect(image).toMatchObject({
    ...{ isHere: true, width: 30, height: 20 },
    urls: [{ url: origin.hostUrl('cdn.other', '/small.png') }],
    places: [{ pageUrl: origin.hostUrl('shop', '/'), kind: 'page', productId: null }],
  });
  const elsewhere = await run(['image', 'show', String(ids.large)], {
    env: { FORAGER_IMAGES_DIR: path.join(directory, 'nowhere') },
  });
  expect(elsewhere.stdout).toContain('not on this machine');
});

test('image save writes the bytes as they were fetched, or the thumbnail', async () => {
  const file = path.join(directory, 'kettle.jpg');
  const saved = await forager('image', 'save', String(ids.large), '-o', file, '--json');
  expect(saved.json()).toEqual([{ id: ids.large, file, contentType: 'image/jpeg', byteCount: large.length }]);
  expect(readFileSync(file).equals(large)).toBe(true);
  const small = path.join(directory, 'small.webp');
  const told = await forager('image', 'save', String(ids.large), '--thumbnail', '-o', small);
  expect(told.stdout).toMatch(/^Wrote .* \(image\/webp\) to .*small\.webp\.$/m);
  expect(await sharp(small).metadata()).toMatchObject({ format: 'webp', width: 320 });
});

test('what cannot be done is told with the code of its kind', async () => {
  const missing = await forager('image', 'show', '999999');
  expect(missing).toMatchObject({ code: 1, stdout: '' });
  expect(missing.stderr).toContain('There is no image 999999.');
  const unwritable = await forager(
    'image',
    'save',
    String(ids.small),
    '-o',
    path.join(directory, 'no', 'x.png'),
  );
  expect(unwritable.code).toBe(1);
  expect(unwritable.stderr).toContain('cannot be written');
  const notHere = await run(['image', 'save', String(ids.small), '-o', path.join(directory, 'x.png')], {
    env: { FORAGER_IMAGES_DIR: path.join(directory, 'nowhere') },
  });
  expect(notHere.code).toBe(1);
  expect(notHere.stderr).toContain('FORAGER_IMAGES_DIR');
  expect(existsSync(path.join(directory, 'x.png'))).toBe(false);
  for (const wrong of [
    ['list', '--type', 'svg'],
    ['list', '--min-width', '-1'],
    ['list', '--limit', 'many'],
    ['list', '--domain', 'a.example', '--product', '1'],
    ['list', '--domain', 'a.example', '--below', '1'],
    ['show', 'kettle'],
    ['show'],
    ['save', '0'],
    ['cleanup', '--grace-hours', 'soon'],
  ]) {
    const { code, stdout } = await forager('image', ...wrong);
    expect({ code, stdout }, wrong.join(' ')).toEqual({ code: 2, stdout: '' });
  }
  expect((await forager('image', 'list', '--domain', 'unknown.example')).code).toBe(1);
});

test.each([
  ['image', 'list'],
  ['image', 'show'],
  ['image', 'save'],
  ['image', 'cleanup'],
  ['export', 'images'],
])('%s %s --help has examples', async (...words) => {
  const { code, stdout } = await forager(...words, '--help');
  expect(code).toBe(0);
  expect(stdout).toContain(`forager ${words.join(' ')}`);
  expect(stdout).toContain('Examples:');
});

test('export images has each place, with what became of the image, and nothing a spreadsheet runs', async () => {
  const rows = (await forager('export', 'images')).json();
  expect(rows).toHaveLength(3);
  expect(rows.find(({ refused }) => refused !== null)).toMatchObject({ refused: 'svg', id: null });
  expect(rows.find(({ id }) => id === ids.small)).toMatchObject({
    ...{ width: 30, height: 20, contentType: 'image/png', pageUrl: origin.hostUrl('shop', '/') },
    ...{ kind: 'page', discoveryType: 'discovery', productId: null },
  });
  expect((await forager('export', 'images', '--domain', domain())).json()).toHaveLength(3);
  const { stdout } = await forager('export', 'images', '--format', 'csv');
  expect(stdout.split('\n').filter(Boolean)).toHaveLength(4);
  expect((await forager('export', 'images', '--domain', 'unknown.example')).code).toBe(1);
  expect((await forager('export', 'images', '--format', 'xml')).code).toBe(2);
});

test('a host that serves nothing but images is shown as such among the domains', async () => {
  const host = new URL(origin.hostUrl('cdn.other', '/')).host;
  const rows = (await forager('domain', 'status', '--json')).json();
  expect(rows.find((row) => row.domain === host)).toMatchObject({
    ...{ source: 'image', status: 'exhausted', pagesCrawled: 0, pagesDiscovered: 0, errors: 0 },
  });
  const { stdout } = await forager('domain', 'status');
  expect(stdout.split('\n').find((line) => line.startsWith(host))).toMatch(/exhausted +images only/);
  expect((await forager('domain', 'info', host)).stdout).toMatch(/found by +image/);
});

interface Check {
  readonly name: string;
  readonly state: string;
  readonly message: string;
  readonly fix?: string;
}

async function doctorOnImages(env: Readonly<Record<string, string>> = {}): Promise<Check[]> {
  const [report] = (await run(['doctor', '--json'], { env })).json() as unknown as { checks: Check[] }[];
  return (report?.checks ?? []).filter(({ name }) => name === 'images');
}

describe('the doctor', () => {
  test('tells where images lie, and that they are there', async () => {
    const place = path.join(directory, 'images');
    expect(await doctorOnImages()).toEqual([
      { name: 'images', state: 'ok', message: `in ${place}; the latest 2 that were looked for are there` },
    ]);
  });

  test('warns of images that are not on this machine', async () => {
    const place = path.join(directory, 'elsewhere');
    expect(await doctorOnImages({ FORAGER_IMAGES_DIR: place })).toMatchObject([
      {
        ...{ state: 'warning', message: `2 of the latest 2 images are not in ${place}` },
        fix: expect.stringContaining('FORAGER_IMAGES_DIR'),
      },
    ]);
    expect(existsSync(place)).toBe(false);
  });

  test('says what is wrong with a place where nothing can be written', async () => {
    const file = path.join(directory, 'a-file');
    writeFileSync(file, '');
    for (const place of [file, path.join(file, 'images')]) {
      expect(await doctorOnImages({ FORAGER_IMAGES_DIR: place })).toMatchObject([
        { state: 'wrong', message: expect.stringMatching(/cannot be kept in .*not a directory/) },
      ]);
    }
  });
});

test('image cleanup removes what nothing refers to, and leaves the rest', async () => {
  const images = path.join(directory, 'images');
  const files = (): number =>
    readdirSync(images, { recursive: true }).filter((name) => /[0-9a-f]{64}/.test(String(name))).length;
  expect(files()).toBe(3);
  expect((await forager('image', 'cleanup', '--json')).json()).toEqual([{ images: 0, files: 0 }]);
  await localBlobStore(images).put(Buffer.alloc(32, 7), 'original', Buffer.from('left'));
  expect((await forager('image', 'cleanup')).stdout).toContain('Removed 0 images');
  expect(files()).toBe(4);
  await database.execute('delete from image_provenance where image_url like $1', ['%small.png']);
  const { stdout } = await forager('image', 'cleanup', '--grace-hours', '0');
  expect(stdout).toBe('Removed 1 images, and 1 contents without one.\n');
  expect(files()).toBe(2);
  expect((await forager('image', 'show', String(ids.small))).code).toBe(1);
});
