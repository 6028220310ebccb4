/** Several reads that see the same: a search, its counts and its snippets. */
import type pg from 'pg';
import { type Database, type Queryable, runQuery } from '../../platform/database.ts';
import { translateDatabaseError } from '../../platform/database-errors.ts';

/**
 * A word that half of all products have makes the planner read the table from somewhere in the middle, wherever
 * somebody else is reading it at the moment: the next page would rank others than this one.
 */
const BEGIN = 'begin isolation level repeatable read read only; set local enable_seqscan = off';

export async function inSnapshot<T>(
  db: Pick<Database, 'pool'>,
  work: (snapshot: Queryable) => Promise<T>,
): Promise<T> {
  const client = await connect(db.pool);
  let failure: Error | undefined;
  try {
    await client.query(BEGIN);
    const result = await work({ query: (statement, values) => runQuery(client, statement, values) });
    await client.query('commit');
    return result;
  } catch (error) {
    // A connection that cannot even be rolled back is of no use to anybody else.
    await client.query('rollback').catch((broken: unknown) => {
      failure = broken instanceof Error ? broken : new Error(String(broken));
    });
    throw translateDatabaseError(error);
  } finally {
    client.release(failure);
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw translateDatabaseError(error);
  }
}
