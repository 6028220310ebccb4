/** A worker has died, or cannot reach the database. */
import { loadSql } from '../../platform/sql-file.ts';
import type { AlertRule } from './rule.ts';

const findSilentWorkers = loadSql(import.meta.url, './find-silent-workers.sql');

interface SilentWorker {
  readonly id: string;
  readonly host: string;
  readonly kind: 'worker' | 'crawl';
  readonly silentMinutes: number;
}

export const workerSilent: AlertRule = {
  code: 'worker-silent',
  severity: 'critical',
  hint: 'see whether its process and its machine are alive; its domains go to other workers by themselves',
  find: async ({ db }) => {
    const { rows } = await db.query<SilentWorker>(findSilentWorkers);
    return rows.map(({ id, host, kind, silentMinutes }) => ({
      subject: id,
      message: `The ${kind} ${id} on ${host} has not been heard of for ${silentMinutes} minutes.`,
    }));
  },
};
