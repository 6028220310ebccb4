import { afterAll, beforeAll, expect, test } from 'vitest';
import { booleanArray, byteaArray, dateArray, numberArray, textArray } from '../../src/platform/pg-array.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

/** Through the real server and back. */
async function roundTrip(type: string, literal: string): Promise<unknown[]> {
  const { rows } = await database.db.query<{ value: unknown }>(
    `select value from unnest($1::${type}[]) with ordinality as t (value, place) order by place`,
    [literal],
  );
  return rows.map((row) => row.value);
}

const awkward = [
  '',
  ' ',
  'plain',
  'NULL',
  'null',
  '{}',
  '{"a","b"}',
  'a,b',
  '"quoted"',
  'back\\slash',
  '\\"both\\\\"',
  "it's",
  'line\nbreak\r\ttab',
  'ünïcödé 漢字 🕷️',
  '\u0001\u001f\u007f',
  '$1 $$ $x',
  '\\x6162',
  'https://example.com/?q="%7B"&x=\\',
];

test('any text comes back as it was', async () => {
  expect(await roundTrip('text', textArray(awkward))).toEqual(awkward);
});

test('every single character of the first 2000 comes back as it was, but for the zero byte', async () => {
  const characters = Array.from({ length: 2000 }, (_, code) => `<${String.fromCodePoint(code + 1)}>`);
  expect(await roundTrip('text', textArray(characters))).toEqual(characters);
});

test('what PostgreSQL text cannot hold is left out or replaced, the rest stays', async () => {
  expect(await roundTrip('text', textArray(['a\0b', '\0', '\0"\\\0', 'x\ud800y', '\udfff']))).toEqual([
    'ab',
    '',
    '"\\',
    'x\ufffdy',
    '\ufffd',
  ]);
});

test('missing values become null in every kind of array', async () => {
  expect(await roundTrip('text', textArray(['a', null, undefined, 'b']))).toEqual(['a', null, null, 'b']);
  expect(await roundTrip('bytea', byteaArray([Buffer.from('a'), null, undefined]))).toEqual([
    Buffer.from('a'),
    null,
    null,
  ]);
  expect(await roundTrip('int', numberArray([1, null, undefined, Number.NaN, Infinity]))).toEqual([
    1,
    null,
    null,
    null,
    null,
  ]);
  expect(await roundTrip('boolean', booleanArray([true, false, null, undefined]))).toEqual([
    true,
    false,
    null,
    null,
  ]);
  expect(await roundTrip('timestamptz', dateArray([null, undefined, new Date('no date')]))).toEqual([
    null,
    null,
    null,
  ]);
});

test('empty arrays are empty', async () => {
  for (const literal of [textArray([]), byteaArray([]), numberArray([]), booleanArray([]), dateArray([])]) {
    expect(await roundTrip('text', literal)).toEqual([]);
  }
});

test('bytes come back as they were, also from the middle of a larger buffer', async () => {
  const all = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  const bytes = [
    all,
    Buffer.alloc(0),
    all.subarray(90, 95),
    new Uint8Array(all.buffer, all.byteOffset + 3, 4),
  ];
  expect(await roundTrip('bytea', byteaArray(bytes))).toEqual(bytes.map((value) => Buffer.from(value)));
});

test('numbers come back as they were', async () => {
  const numbers = [0, -1, 2 ** 53 - 1, -(2 ** 53) + 1];
  expect(await roundTrip('bigint', numberArray(numbers))).toEqual(numbers);
  expect(await roundTrip('bigint', numberArray([2n ** 63n - 1n]))).toEqual([2n ** 63n - 1n]);
  expect(await roundTrip('float8', numberArray([0.1, -1e300, 5e-324]))).toEqual([0.1, -1e300, 5e-324]);
});

test('moments come back as they were, also of years with other than four digits', async () => {
  const moments = ['2026-11-15T08:00:00.123Z', '1970-01-01T00:00:00.000Z', '0033-04-03T15:00:00.000Z'].map(
    (text) => new Date(text),
  );
  expect(await roundTrip('timestamptz', dateArray(moments))).toEqual(moments);
  const far = new Date(Date.UTC(12_345, 5, 6));
  const { rows } = await database.db.query<{ year: string }>(
    'select extract(year from value)::text as year from unnest($1::timestamptz[]) value',
    [dateArray([far, new Date(Date.UTC(-43, 2, 15))])],
  );
  expect(rows.map((row) => row.year)).toEqual(['12345', '-44']);
});
