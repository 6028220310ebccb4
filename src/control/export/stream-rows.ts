/** Rows of a table that has no key to go by, through a cursor: a portion in memory, a transaction held meanwhile. */
import { type Database, runQuery } from '../../platform/database.ts';
import { translateDatabaseError } from '../../platform/database-errors.ts';

const PORTION = 1000;

export async function* streamRows<R extends object>(
  db: Pick<Database, 'pool'>,
  statement: string,
  values: readonly unknown[],
): AsyncGenerator<R> {
  const client = await db.pool.connect().catch((error: unknown) => {
    throw translateDatabaseError(error);
  });
  try {
    await runQuery(client, 'begin read only');
    await runQuery(client, `declare export_rows no scroll cursor for ${statement}`, values);
    for (;;) {
      const { rows } = await runQuery<R>(client, `fetch ${PORTION} from export_rows`);
      yield* rows;
      if (rows.length < PORTION) return;
    }
  } finally {
    // Whoever stopped reading early leaves a transaction open: the connection ends with it.
    const isOver = await client.query('rollback').then(
      () => true,
      () => false,
    );
    client.release(!isOver);
  }
}
