/** Tasks or policies are due, and nobody says so to the workers. */
import { loadSql } from '../../platform/sql-file.ts';
import type { AlertRule } from './rule.ts';

const findUnscheduledWork = loadSql(import.meta.url, './find-unscheduled-work.sql');

interface UnscheduledWork {
  readonly hasTasks: boolean;
  readonly hasPolicies: boolean;
  readonly isAttended: boolean;
}

export const noScheduler: AlertRule = {
  code: 'no-scheduler',
  severity: 'critical',
  hint: 'start "forager scheduler", or "forager up", which brings one along',
  find: async ({ db }) => {
    const [row] = (await db.query<UnscheduledWork>(findUnscheduledWork)).rows;
    if (row === undefined || row.isAttended) return [];
    const due = [...(row.hasTasks ? ['tasks'] : []), ...(row.hasPolicies ? ['policies'] : [])];
    if (due.length === 0) return [];
    const what = due.join(' and ').replace(/^./, (letter) => letter.toUpperCase());
    return [{ subject: '', message: `${what} have been due for two minutes, and no scheduler leads.` }];
  },
};
