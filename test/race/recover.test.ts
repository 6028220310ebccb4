/** Recovery beside workers that commit: whoever locks several domains locks them in one order. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recoverFrontier } from '../../src/control/frontier/recover-frontier.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
let other: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  other = await openDatabase(loadConfig({ databaseUrl: database.url, databasePoolSize: 2 }, {}));
});
afterAll(async () => {
  await other.close();
  await database.drop();
});

async function hold(id: number, holder: string): Promise<void> {
  await database.execute(
    `insert into workers (id, incarnation, kind, host, machine, pid, process_mark, program_version, heartbeat_at)
     values ($1, 'i', 'worker', 'elsewhere', 'm', 1, '-.-.-', '0', now() - interval '1 hour')`,
    [holder],
  );
  await database.execute(
    `insert into domains (id, domain, parent_domain, base_url, status, status_code, claimed_by, claim_expires_at)
     overriding system value
     values ($1, $2, $2, 'https://x', 'active', 'claimed', $3, now() + interval '1 hour')`,
    [id, `d${id}.example`, holder],
  );
}

it('the leases of the silent are freed from the lowest domain up', async () => {
  // Whichever way they are found, by place or by holder, the higher one is met first.
  await hold(2, 'silent-a');
  await hold(1, 'silent-b');
  const recovering = await inTransaction(database.db, async (commit) => {
    await commit.query('select from domains where id = 1 for update', []);
    const started = recoverFrontier(other, 60, { name: 'test', address: undefined, requestId: undefined });
    const waiting = `select 1 from pg_stat_activity
                      where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await database.db.query(waiting, [])).rows.length).toBe(1);
    // A commit that goes on to the next domain; one that was locked already would wait for us in turn.
    await commit.query('select from domains where id = 2 for update nowait', []);
    return { started };
  });
  expect((await recovering.started).silentLeases).toBe(2);
});
