import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { extractPage } from '../../../src/engine/extract/extract-page.ts';
import { NO_PARSER, parserFor } from '../../../src/engine/extract/registry.ts';
import { openParsers } from '../../../src/engine/extract/site/open-parsers.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'forager-parsers-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function write(name: string, text: string): Promise<string> {
  const file = path.join(directory, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

function source(name: string, more = ''): string {
  return `export default { name: '${name}', version: '1', parse: () => ({ name: 'From ${name}', price: '£1' })${more} };`;
}

const PAGE = {
  ...{
    html: Buffer.from('<p>x'),
    url: 'https://x.example/',
    baseUrl: 'https://x.example/',
    language: undefined,
  },
};

test('there are the generic parser and those that come along, and each of them can be used', async () => {
  const parsers = await openParsers();
  expect(parsers.troubles).toEqual([]);
  expect(parsers.names).toEqual(['generic', 'amazon', 'moss-and-marrow', 'tinker-and-sons']);
  expect(parsers.parsers.map(({ origin }) => origin)).toEqual(['built-in', 'bundled', 'bundled', 'bundled']);
  expect(parserFor(parsers, 'amazon')).toBe(parsers.find('amazon'));
  expect(parserFor(parsers, NO_PARSER)).toBeUndefined();
});

test('files of a folder and files by path are parsers; what is no module, or hidden, is not looked at', async () => {
  await write('folder/one.mjs', source('one', ", describe: 'The first'"));
  await write('folder/two.js', source('two'));
  await write('folder/notes.txt', 'not a parser');
  await write('folder/.half-written.mjs', 'export default {');
  const three = await write('elsewhere/three.mjs', source('three'));
  const parsers = await openParsers({ directory: path.join(directory, 'folder'), files: [three, three] });
  expect(parsers.troubles).toEqual([]);
  expect(
    parsers.parsers.filter(({ origin }) => origin !== 'bundled').map(({ name, origin }) => [name, origin]),
  ).toEqual([
    ['generic', 'built-in'],
    ['one', 'folder'],
    ['two', 'folder'],
    ['three', 'setting'],
  ]);
  expect(parsers.parsers.find(({ name }) => name === 'one')).toMatchObject({
    description: 'The first',
    version: '1',
  });
});

test('a folder that is not there holds no parsers, and that is no trouble', async () => {
  expect((await openParsers({ directory: path.join(directory, 'none') })).troubles).toEqual([]);
});

test.each([
  ['a syntax error', 'export default {', 'it cannot be loaded: '],
  ['an error of its own', "throw new Error('no luck');", 'it cannot be loaded: Error: no luck'],
  ['nothing in it', '', 'it has no default export'],
  ['a function', 'export default () => 1;', 'its default export is not an object'],
  ['no name', "export default { version: '1', parse() {} };", 'its name must be a name such as "my-shop"'],
  [
    'a bad name',
    "export default { name: 'My Shop', version: '1', parse() {} };",
    'its name must be small letters',
  ],
  ['no version', "export default { name: 'x', parse() {} };", 'its version must be text'],
  [
    'a version with spaces',
    "export default { name: 'x', version: '1 2', parse() {} };",
    'its version must be text',
  ],
  ['no parse', "export default { name: 'x', version: '1' };", 'its parse must be a function'],
  [
    'another fallback',
    "export default { name: 'x', version: '1', parse() {}, fallback: 'all' };",
    'its fallback must be',
  ],
  ['the name of the generic one', source('generic'), 'its name is "generic", which is taken'],
  ['the name of none', source('none'), 'its name is "none", which is taken'],
  ['the name of one that comes along', source('amazon'), 'there is a parser "amazon" already'],
])('a file with %s is told with what to do, and stops nothing', async (_what, text, message) => {
  const file = await write('broken.mjs', text);
  await write('well.mjs', source('well'));
  const parsers = await openParsers({ directory });
  expect(parsers.troubles).toHaveLength(1);
  expect(parsers.troubles[0]).toMatchObject({
    file,
    name: 'broken',
    message: expect.stringContaining(message),
  });
  expect(parsers.troubles[0]?.hint).not.toBe('');
  expect(parsers.names).toContain('well');
  expect(parsers.names).not.toContain('broken');
  // Its domains fail, and say why: nothing is read in another way without a word.
  const parser = parserFor(parsers, 'broken');
  expect(parser && extractPage(parser, PAGE).failure).toContain(`its file ${file} is no parser`);
});

test('a path that leads nowhere, or to what is no module, is a trouble', async () => {
  const text = await write('parser.ts', source('typed'));
  const { troubles } = await openParsers({ files: [path.join(directory, 'gone.mjs'), text] });
  expect(troubles.map(({ message }) => message)).toEqual([
    'there is no such file',
    'its name ends neither in .mjs nor in .js',
  ]);
});

test('of two parsers with one name the first is used, and the second is told', async () => {
  await write('a.mjs', source('shop'));
  const second = await write('b.mjs', source('shop'));
  const parsers = await openParsers({ directory });
  expect(parsers.parsers.find(({ name }) => name === 'shop')?.file).toBe(path.join(directory, 'a.mjs'));
  expect(parsers.troubles).toMatchObject([{ file: second, message: expect.stringContaining('a.mjs') }]);
});

test('a file that was changed is read anew', async () => {
  await write('shop.mjs', source('shop'));
  expect((await openParsers({ directory })).find('shop')?.version).toBe('1');
  await write('shop.mjs', source('shop').replace("version: '1'", "version: '2026-03-01'"));
  expect((await openParsers({ directory })).find('shop')?.version).toBe('2026-03-01');
});

test('a parser that nobody has fails on every page, and says so', async () => {
  const parser = parserFor(await openParsers(), 'gone');
  expect(parser && extractPage(parser, PAGE)).toMatchObject({
    ...{ parser: 'gone', version: 'unknown', failure: 'there is no parser "gone" on this machine' },
  });
});
