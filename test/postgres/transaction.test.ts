import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepared } from '../../src/platform/database.ts';
import { ConnectionLost } from '../../src/platform/errors.ts';
import { inTransaction, type Transaction } from '../../src/platform/transaction.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
  await database.execute('create table counter (name text primary key, value int not null)');
});
afterAll(() => database.drop());

async function setCounters(...names: string[]): Promise<void> {
  await database.execute('truncate counter');
  for (const name of names) await database.execute('insert into counter values ($1, 0)', [name]);
}

async function readCounters(): Promise<Record<string, number>> {
  const { rows } = await database.db.query<{ name: string; value: number }>(
    'select * from counter order by name',
  );
  return Object.fromEntries(rows.map((row) => [row.name, row.value]));
}

test('what a transaction wrote is there when it returns and gone when it throws', async () => {
  await setCounters('a');
  const result = await inTransaction(database.db, async (tx) => {
    await tx.query("update counter set value = 1 where name = 'a'");
    return 'done';
  });
  expect(result).toBe('done');
  await expect(
    inTransaction(database.db, async (tx) => {
      await tx.query("update counter set value = 2 where name = 'a'");
      throw new Error('changed my mind');
    }),
  ).rejects.toThrow('changed my mind');
  expect(await readCounters()).toEqual({ a: 1 });
});

test('nothing can be written past a transaction', async () => {
  await setCounters('a');
  await expect(database.db.query("update counter set value = 9 where name = 'a'")).rejects.toThrow(
    /inTransaction/,
  );
  await expect(database.db.query("insert into counter values ('b', 1)")).rejects.toThrow(/inTransaction/);
  expect(await readCounters()).toEqual({ a: 0 });
});

test('a transaction handle that outlived its transaction is refused', async () => {
  let kept: Transaction | undefined;
  await inTransaction(database.db, async (tx) => {
    kept = tx;
  });
  await expect(kept?.query('select 1')).rejects.toThrow(/is over/);
});

test('two transactions that block each other both get done', async () => {
  await setCounters('a', 'b');
  let attempts = 0;
  let arrived = 0;
  const bothHaveTheirFirst = makeSignal();
  const add = (first: string, second: string) =>
    inTransaction(database.db, async (tx) => {
      attempts += 1;
      await tx.query('update counter set value = value + 1 where name = $1', [first]);
      arrived += 1;
      if (arrived === 2) bothHaveTheirFirst.resolve(undefined);
      await bothHaveTheirFirst.promise;
      await tx.query('update counter set value = value + 1 where name = $1', [second]);
    });
  await Promise.all([add('a', 'b'), add('b', 'a')]);
  expect(attempts).toBe(3);
  expect(await readCounters()).toEqual({ a: 2, b: 2 });
});

test('a transaction that always collides is given up after three repetitions', async () => {
  let attempts = 0;
  await expect(
    inTransaction(database.db, async (tx) => {
      attempts += 1;
      await tx.query("do $$ begin raise exception 'collision' using errcode = '40001'; end $$");
    }),
  ).rejects.toMatchObject({ code: '40001' });
  expect(attempts).toBe(4);
});

test('an error in a statement is not repeated', async () => {
  let attempts = 0;
  await expect(
    inTransaction(database.db, async (tx) => {
      attempts += 1;
      await tx.query('select 1 / 0');
    }),
  ).rejects.toMatchObject({ code: '22012' });
  expect(attempts).toBe(1);
});

test('a connection that breaks is told as such, and the next transaction works', async () => {
  await setCounters('a');
  const broken = inTransaction(database.db, async (tx) => {
    await tx.query('update counter set value = 5');
    const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    await database.db.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await tx.query('update counter set value = 6');
  });
  await expect(broken).rejects.toBeInstanceOf(ConnectionLost);
  expect(await readCounters()).toEqual({ a: 0 });
  await inTransaction(database.db, (tx) => tx.query('update counter set value = 7'));
  expect(await readCounters()).toEqual({ a: 7 });
});

test('a disk that is full is told as such', async () => {
  const full = inTransaction(database.db, (tx) =>
    tx.query("do $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$"),
  );
  await expect(full).rejects.toMatchObject({
    code: 'disk-full',
    hint: expect.stringContaining('free some space'),
  });
});

test('a named statement is prepared once and gives the same as an unnamed one', async () => {
  const statement = prepared('double-it', 'select $1::int * 2 as doubled');
  for (const value of [1, 2, 3]) {
    const { rows, rowCount } = await database.db.query<{ doubled: number }>(statement, [value]);
    expect([rows, rowCount]).toEqual([[{ doubled: value * 2 }], 1]);
  }
});

test('big integers come as numbers, those too big for that as bigint, dates as text', async () => {
  const { rows } = await database.db.query(
    "select 42::bigint as small, 9007199254740993::bigint as big, date '2026-02-03' as day",
  );
  expect(rows).toEqual([{ small: 42, big: 9007199254740993n, day: '2026-02-03' }]);
});

function makeSignal(): { promise: Promise<unknown>; resolve: (value: unknown) => void } {
  let resolve: (value: unknown) => void = () => undefined;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
