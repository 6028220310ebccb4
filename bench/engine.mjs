/**
 * The one file that knows Forager from inside: what is measured without the command around it is the built
 * program's own functions, called as its worker calls them.
 */
import { loadConfig } from '../dist/platform/config.js';
import { openDatabase } from '../dist/platform/database.js';

export { pullJobs } from '../dist/control/bots/pull-jobs.js';
export { submitResult } from '../dist/control/bots/submit-result.js';
export { submitTasks } from '../dist/control/tasks/submit-tasks.js';
export { openDistribution } from '../dist/distribution/open-distribution.js';
export { claimDomains } from '../dist/engine/claim/claim-domains.js';
export { Batch } from '../dist/engine/ingest/batch.js';
export { byKeyOnly, commitBatch } from '../dist/engine/ingest/commit-batch.js';
export { upsertProducts } from '../dist/engine/products/upsert-products.js';
export { settleTasks } from '../dist/engine/tasks/settle-tasks.js';
export { takeTasks } from '../dist/engine/tasks/take-tasks.js';
export { inTransaction } from '../dist/platform/transaction.js';
export { queueDueTasks } from '../dist/scheduler/queue-due-tasks.js';
export { searchProducts } from '../dist/search/search.js';
export { noteNewWords } from '../dist/search/words/note-words.js';
export { suggest } from '../dist/search/words/suggest.js';

export const STANDING_RUN = 0;
/** As FORAGER_MAX_PAGES_PER_RUN has it. */
export const TURN_PAGES = 1000;
export const LEASE_MS = 30 * 60 * 1000;
export const MAX_RETRIES = 3;
/** The defaults of docs/settings.md. */
export const REFRESH = {
  isOn: true,
  firstSeconds: 14 * 86_400,
  floorSeconds: 86_400,
  ceilingSeconds: 90 * 86_400,
  goneAfterMisses: 3,
};

/** The embedded server of the data directory: started if it is not up, stopped when its last guest has left. */
export function openServer(dataDir) {
  return openDatabase(loadConfig({ dataDir }, {}));
}

/** One database of a server. Called one at a time, everything goes over one connection, which stays warm. */
export function openByUrl(databaseUrl) {
  return openDatabase(loadConfig({ databaseUrl, databasePoolSize: 2 }, {}));
}

/** Everything `work` sends through transactions of the database it is given. */
export async function recordStatements(db, work) {
  const statements = [];
  const connect = async () => {
    const client = await db.pool.connect();
    return {
      query: (statement) => {
        statements.push(statement);
        return client.query(statement);
      },
      release: (isBroken) => client.release(isBroken),
    };
  };
  await work({ ...db, pool: { connect } });
  return statements;
}
