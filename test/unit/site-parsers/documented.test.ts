/** What the documentation and the examples show works as they say. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { extractPage } from '../../../src/engine/extract/extract-page.ts';
import { parserFor } from '../../../src/engine/extract/registry.ts';
import { openParsers } from '../../../src/engine/extract/site/open-parsers.ts';
import { parseHtml } from '../../../src/engine/parse/scan-html.ts';
import { settings } from '../../../src/platform/settings.ts';

const GUIDE = readFileSync('docs/parsers.md', 'utf8');

function block(language: string): string {
  const [, text] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(GUIDE) ?? [];
  if (text === undefined) throw new Error(`docs/parsers.md has no block of ${language}`);
  return text;
}

async function read(file: string, name: string, text: string, url: string) {
  const parsers = await openParsers({ files: [file] });
  expect(parsers.troubles).toEqual([]);
  const html = Buffer.from(text);
  const { baseUrl, language } = parseHtml({ html, url, contentLanguage: undefined, maxLinks: 0 });
  const parser = parserFor(parsers, name);
  if (parser === undefined) throw new Error(`there is no parser ${name}`);
  const { fields, ...rest } = extractPage(parser, { html, url, baseUrl, language });
  return {
    ...rest,
    values: Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.value])),
  };
}

test('the parser of the guide reads the page of the guide', async () => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'forager-guide-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = path.join(directory, 'my-shop.mjs');
  writeFileSync(file, block('js'));
  const url = 'https://shop.example.com/p/kettle';
  expect(await read(file, 'my-shop', block('html'), url)).toMatchObject({
    ...{ parser: 'my-shop', verdict: 'valid', problems: [] },
    values: {
      ...{ name: 'Patient kettle', price: '12.5', listPrice: '20', currency: 'GBP', availability: 'limited' },
      ...{ brand: 'Hesper Works', sku: 'K-1700', category: ['Kitchen', 'Kettles'] },
      images: [{ url: 'https://shop.example.com/images/kettle.jpg', alt: 'The kettle' }],
    },
  });
  expect(await read(file, 'my-shop', block('html'), 'https://shop.example.com/c/x')).toMatchObject({
    verdict: 'none',
  });
});

test('the example reads the page beside it', async () => {
  const file = path.resolve('examples/parsers/paper-lantern.mjs');
  const html = readFileSync('examples/parsers/kettle.html', 'utf8');
  const found = await read(file, 'paper-lantern', html, 'https://paper-lantern.example/goods/4711-kettle');
  expect(found).toEqual({
    ...{ parser: 'paper-lantern', version: '2026-03-01', verdict: 'valid', problems: [] },
    values: {
      ...{
        name: 'Wasserkessel „Geduld“',
        description: 'Pfeift erst, wenn Sie so weit sind.',
        brand: 'Hesper',
      },
      ...{ price: '49.9', listPrice: '59.9', currency: 'EUR', availability: 'in_stock' },
      ...{ rating: '4.35', reviewCount: 1204, sku: '4711', category: ['Küche', 'Kessel'] },
      images: [{ url: 'https://paper-lantern.example/bilder/4711-gross.jpg', alt: 'Der Kessel von vorn' }],
      variants: [
        { name: 'Kupfer', sku: '4711-K', price: '49.9', currency: 'EUR', options: { colour: 'Kupfer' } },
        { name: 'Emaille', sku: '4711-E', price: '44.9', currency: 'EUR', options: { colour: 'Emaille' } },
      ],
    },
  });
});

test('settings that the guide names are settings', () => {
  const named = new Set(GUIDE.match(/FORAGER_[A-Z_]+/g));
  const known = Object.values(settings).map(({ env }) => env);
  for (const env of named) expect(known).toContain(env);
});
