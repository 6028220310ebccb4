/** There is something to do, and nobody to do it. */
import { loadSql } from '../../platform/sql-file.ts';
import type { AlertRule } from './rule.ts';

const findIdleWork = loadSql(import.meta.url, './find-idle-work.sql');

export const noWorkers: AlertRule = {
  code: 'no-workers',
  severity: 'warning',
  hint: 'start "forager worker", or "forager up", which brings one along',
  find: async ({ db }) => {
    const [row] = (await db.query<{ isDue: boolean; isAttended: boolean }>(findIdleWork)).rows;
    if (row === undefined || !row.isDue || row.isAttended) return [];
    return [{ subject: '', message: 'Domains are due, and no worker has been at work for two minutes.' }];
  },
};
