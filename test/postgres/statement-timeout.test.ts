import { expect, onTestFinished, test } from 'vitest';
import { refusalOf } from '../../src/api/refusal.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { createEmptyDatabase } from '../support/postgres.ts';

test('a question that takes longer than a database is opened for is broken off; others wait', async () => {
  const { url, db, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  const hasty = await openDatabase({ ...loadConfig({ databaseUrl: url }, {}), statementTimeoutMs: 50 });
  onTestFinished(() => hasty.close());
  const question = 'select pg_sleep(0.2)';
  const failure = await hasty.query(question).catch((error: unknown) => error);
  expect(refusalOf(failure).code).toBe('too-slow');
  await expect(inTransaction(hasty, (tx) => tx.query(question))).rejects.toMatchObject({ code: '57014' });
  // The connection itself is as good as before.
  expect((await hasty.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  expect((await db.query(question)).rowCount).toBe(1);
});
