import { expect, test } from 'vitest';
import { keepFrontierFigures } from '../../src/control/frontier/frontier-figures.ts';
import type { Database } from '../../src/platform/database.ts';

test('however many ask while it is counted, it is counted once; whoever fails to count tries again', async () => {
  let asked = 0;
  let answer: (rows: object[]) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const db = {
    query: () => {
      asked += 1;
      return new Promise((resolve, reject) => {
        answer = (rows) => resolve({ rows, rowCount: rows.length });
        fail = reject;
      });
    },
  } as unknown as Database;
  const read = keepFrontierFigures(db);
  const failing = [read(), read()];
  fail(new Error('the database is away'));
  await expect(Promise.all(failing)).rejects.toThrow('away');
  expect(asked).toBe(1);
  const counting = [read(), read(), read()];
  for (let query = 0; query < 3; query += 1) {
    answer([]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const [first, second, third] = await Promise.all(counting);
  expect(asked).toBe(4);
  expect(first).toMatchObject({ urls: { total: 0 } });
  expect(second).toBe(first);
  expect(third).toBe(first);
});
