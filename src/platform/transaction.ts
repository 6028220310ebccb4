import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { type Database, type Queryable, runQuery } from './database.ts';
import { isConnectionLoss, isWorthRetrying, translateDatabaseError } from './database-errors.ts';

/** The only way to write. It is over when the function it was given to returns. */
export interface Transaction extends Queryable {
  readonly kind: 'transaction';
}

const retryDelaysMs = [100, 200, 400];

/**
 * A process that is frozen, or cut off from the network, in the middle of a transaction would hold its locks for as
 * long as that lasts, and everybody who needs the rows would wait with it. The server ends such a transaction.
 */
const begin = "begin read write; set local idle_in_transaction_session_timeout = '30s'";

/**
 * Runs `work` in one transaction: committed if it returns, undone if it throws. If the database gave up on it
 * because of another transaction (serialization failure, deadlock) it is run again, so `work` must have no
 * effects outside the database that it cannot repeat.
 */
export async function inTransaction<T>(
  db: Pick<Database, 'pool'>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await runOnce(db.pool, work);
    } catch (error) {
      const delayMs = retryDelaysMs[attempt];
      if (delayMs === undefined || !isWorthRetrying(error)) throw error;
      await pause(delayMs * (0.5 + Math.random()));
    }
  }
}

async function runOnce<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await connect(pool);
  let isOver = false;
  let isBroken = false;
  const tx: Transaction = {
    kind: 'transaction',
    query: (statement, values) => {
      if (isOver)
        return Promise.reject(new Error('The transaction is over: its handle was used after it ended.'));
      return runQuery(client, statement, values);
    },
  };
  try {
    await runQuery(client, begin);
    const result = await work(tx);
    isOver = true;
    await runQuery(client, 'commit');
    return result;
  } catch (error) {
    isOver = true;
    isBroken = isConnectionLoss(error) || !(await rollBack(client));
    throw error;
  } finally {
    // A connection in doubt is closed, not handed to the next one.
    client.release(isBroken);
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw translateDatabaseError(error);
  }
}

async function rollBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('rollback');
    return true;
  } catch {
    return false;
  }
}
