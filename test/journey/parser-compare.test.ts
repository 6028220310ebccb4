/** A parser tried on stored pages of the demo shops, next to the one that a domain has. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DemoWeb, startDemoWeb } from '../../src/demo/start-demo-web.ts';
import { openParsers } from '../../src/engine/extract/site/open-parsers.ts';
import { runTestCrawl } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type CliRun, runForager, widestLine } from '../support/run-cli.ts';

let demo: DemoWeb;
let database: TestDatabase;
let directory: string;
let shop: string;
beforeAll(async () => {
  demo = await startDemoWeb();
  database = await createTestDatabase();
  directory = mkdtempSync(path.join(os.tmpdir(), 'forager-compare-'));
  const url = demo.sites.find(({ domain }) => domain.startsWith('tinker'))?.url ?? '';
  shop = new URL(url).host;
  await runTestCrawl({
    ...{ db: database.db, seeds: [url], parsers: await openParsers() },
    ...{
      warcDirectory: path.join(directory, 'warc'),
      settings: { readSitemaps: true, maxConcurrentPerDomain: 8 },
    },
  });
});
afterAll(async () => {
  await demo.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const forager = (args: readonly string[], columns?: number): Promise<CliRun> =>
  runForager([...args, '--data-dir', directory], {
    env: { DATABASE_URL: database.url, NO_COLOR: '1' },
    ...(columns !== undefined && { columns }),
  });

interface Side {
  readonly parser: string;
  readonly verdicts: Readonly<Record<string, number>>;
  readonly rate: number;
  readonly msPerPage: number;
  readonly failure: { readonly url: string; readonly message: string } | null;
}

interface Compared {
  readonly pages: number;
  readonly old: Side;
  readonly new: Side;
  readonly fields: readonly {
    field: string;
    same: number;
    onlyOld: number;
    onlyNew: number;
    different: number;
  }[];
  readonly examples: readonly { url: string; field: string; old: unknown; new: unknown }[];
}

async function compare(...args: readonly string[]): Promise<Compared> {
  const run = await forager(['parser', 'compare', ...args, '--domain', shop, '--json']);
  expect(run).toMatchObject({ code: 0 });
  return run.json()[0] as unknown as Compared;
}

function write(name: string, text: string): string {
  const file = path.join(directory, name);
  writeFileSync(file, text);
  return file;
}

/** All that may be written to by a parser. */
async function written(): Promise<unknown> {
  const { rows } = await database.db.query(
    `select (select count(*) from products) as products, (select count(*) from price_points) as points,
            (select sum(pages_count) from parse_hours) as parsed, (select count(*) from crawl_log) as fetches,
            (select max(updated_at) from products) as latest`,
  );
  return rows[0];
}

test('the parser of the shop finds what the generic one finds, on pages with and without products', async () => {
  const before = await written();
  const result = await compare('tinker-and-sons', '--sample', '60');
  expect(result.pages).toBe(60);
  expect([result.old.parser, result.new.parser]).toEqual(['generic', 'tinker-and-sons']);
  expect(result.old.verdicts.valid).toBeGreaterThanOrEqual(45);
  expect(result.new.verdicts).toEqual(result.old.verdicts);
  expect(result.new.verdicts.none).toBeGreaterThan(0);
  expect(result.new).toMatchObject({ rate: 1, failure: null, msPerPage: expect.any(Number) });
  const found = Object.fromEntries(result.fields.map((row) => [row.field, row]));
  for (const field of ['name', 'price', 'currency', 'availability', 'sku', 'brand']) {
    expect(found[field]).toMatchObject({
      same: result.old.verdicts.valid,
      onlyOld: 0,
      onlyNew: 0,
      different: 0,
    });
  }
  expect(await written()).toEqual(before);
});

test('a file that is not switched on yet is compared with what is, and its differences are told', async () => {
  const file = write(
    'draft.mjs',
    `export default { name: 'draft', version: '3', fallback: 'none', parse(page) {
       if (!page.url.includes('/p/')) return undefined;
       if (page.url.includes('kettle')) throw new Error('not yet');
       return { name: page.text('h1').toUpperCase(), price: page.text('.price'), mpn: 'M-1' };
     } };`,
  );
  const result = await compare('generic', '--with', file, '--sample', '5000');
  expect(result.new).toMatchObject({ parser: 'draft', failure: { message: 'Error: not yet' } });
  expect(result.new.failure?.url).toContain('kettle');
  expect(result.new.verdicts.failed).toBeGreaterThan(0);
  expect(result.new.rate).toBeLessThan(1);
  const found = Object.fromEntries(result.fields.map((row) => [row.field, row]));
  expect(found.name).toMatchObject({ same: 0, different: result.new.verdicts.valid });
  expect(found.brand).toMatchObject({ onlyNew: 0, onlyOld: result.old.verdicts.valid });
  expect(found.mpn).toMatchObject({ onlyOld: 0, onlyNew: result.new.verdicts.valid });
  const names = result.examples.filter(({ field }) => field === 'name');
  expect(names.length).toBe(3);
  // On those it failed at it has found nothing.
  for (const { old: older, new: newer } of names)
    expect([String(older).toUpperCase(), null]).toContain(newer);
});

test('a person reads what agrees and what does not, and how to switch', async () => {
  const { code, stdout } = await forager(['parser', 'compare', 'tinker-and-sons', '--domain', shop], 100);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+ stored pages of tinker-and-sons/);
  expect(stdout).toMatch(/old +generic/);
  expect(stdout).toMatch(/new +tinker-and-sons/);
  expect(stdout).toMatch(/FIELD +SAME +ONLY OLD +ONLY NEW +DIFFERENT/);
  expect(stdout).toContain(`domain set ${shop} --parser tinker-and-sons`);
  // The last line is a command to be copied.
  const [tables = ''] = stdout.split('npx forager');
  expect(widestLine(tables)).toBeLessThanOrEqual(100);
});

test('tables fit a terminal of 80 columns and keep what matters', async () => {
  const thrower = write(
    'thrower.mjs',
    "export default { name: 'a-parser-with-a-long-name', version: '2026-11-15', parse() { throw new Error('no '.repeat(80)); } };",
  );
  const compared = await forager(['parser', 'compare', thrower, '--domain', shop, '--sample', '20'], 80);
  // It has failed on every page.
  expect(compared.code).toBe(1);
  const [tables = ''] = compared.stdout.split('To use it');
  expect(widestLine(tables), tables).toBeLessThanOrEqual(80);
  expect(compared.stdout).toMatch(/FAILED +RATE/);
  const list = await forager(['parser', 'list'], 80);
  expect(widestLine(list.stdout), list.stdout).toBeLessThanOrEqual(80);
  expect(list.stdout).toMatch(/^NAME .*FAILED +RATE$/m);
  expect(list.stderr).toMatch(/24 hours\.\n$/);
});

test('a parser that fails on a page is an error of the command', async () => {
  const thrower = write('fails.mjs', "export default { name: 'fails', version: '1', parse() { throw 5; } };");
  const page = write('page.html', '<h1>Kettle</h1>');
  const tried = await forager(['parser', 'try', thrower, page]);
  expect(tried).toMatchObject({ code: 1, stdout: expect.stringContaining('the parser has failed') });
  expect(tried.stderr).toContain('--base');
  expect((await forager(['parser', 'try', thrower, page, '--json'])).code).toBe(1);
  expect((await forager(['inspect', page, '--parser', thrower])).code).toBe(1);
  expect((await forager(['inspect', page, '--parser', thrower, '--text'])).code).toBe(0);
});

test('what cannot be compared is refused with what to do', async () => {
  const unknown = await forager(['parser', 'compare', 'tinkers', '--domain', shop]);
  expect(unknown).toMatchObject({ code: 2 });
  expect(unknown.stderr).toContain('There is no parser "tinkers"');
  const broken = await forager([
    'parser',
    'compare',
    write('broken.mjs', 'export default 5;'),
    '--domain',
    shop,
  ]);
  expect(broken).toMatchObject({ code: 2 });
  expect(broken.stderr).toContain('its default export is not an object');
  const nowhere = await forager(['parser', 'compare', 'generic', '--domain', 'nowhere.example']);
  expect(nowhere.code).toBe(1);
  expect((await forager(['parser', 'compare', 'generic'])).code).toBe(2);
});

test('parser list and show tell how well each did', async () => {
  const list = await forager(['parser', 'list']);
  expect(list.code).toBe(0);
  expect(list.stdout).toMatch(/^NAME +VERSION +FROM +DOMAINS +PAGES +VALID .*RATE\ngeneric .* 100 %$/m);
  const show = await forager(['parser', 'show', 'generic', '--domain', shop]);
  expect(show.code).toBe(0);
  expect(show.stdout).toContain(shop);
  expect((await forager(['parser', 'show', 'nobody'])).code).toBe(1);
  const json = (await forager(['parser', 'list', '--json'])).json();
  expect(json.map(({ name }) => name)).toEqual(['generic', 'amazon', 'moss-and-marrow', 'tinker-and-sons']);
});

test('parser try and inspect show the product of a page with its sources', async () => {
  const url = `http://${shop}/`;
  const { rows } = await database.db.query<{ url: string }>(
    "select url from products where url ~ '/p/' order by url limit 1",
  );
  const page = rows[0]?.url ?? url;
  const tried = await forager(['parser', 'try', 'tinker-and-sons', page, '--allow-private', '--json']);
  expect(tried.json()[0]).toMatchObject({
    ...{ url: page, status: 200 },
    extraction: { parser: 'tinker-and-sons', verdict: 'valid', fields: { price: { source: 'site-parser' } } },
  });
  const shown = await forager(['parser', 'try', 'tinker-and-sons', page, '--allow-private'], 80);
  expect(shown.stdout).toContain('Product: valid');
  expect(shown.stdout).toMatch(/currency +GBP +site-parser +95 % +\S/);
  expect(shown.stdout).toMatch(/FIELD +VALUE +SOURCE +SURE +READ FROM\n +name .*\n +price /);
  expect(widestLine(shown.stdout.slice(shown.stdout.indexOf('FIELD'))), shown.stdout).toBeLessThanOrEqual(80);
  const inspected = await forager(['inspect', page, '--allow-private', '--json']);
  expect(inspected.json()[0]).toMatchObject({
    extraction: { parser: 'generic', verdict: 'valid', fields: { price: { source: 'json-ld' } } },
  });
  expect((await forager(['inspect', url, '--allow-private'])).stdout).toContain('Product: none on this page');
});
