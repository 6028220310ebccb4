/** More than one fetch in five goes wrong, over five minutes. */
import { loadSql } from '../../platform/sql-file.ts';
import type { AlertRule } from './rule.ts';

const readErrorRate = loadSql(import.meta.url, './read-error-rate.sql');

const MOST_ERRORS = 0.2;
/** Of fewer, a few bad ones say nothing. */
const LEAST_FETCHES = 50;

export const highErrorRate: AlertRule = {
  code: 'high-error-rate',
  severity: 'critical',
  hint: 'see which outcomes and domains it is, and whether this machine reaches the network as it should',
  find: async ({ db }) => {
    const [row] = (await db.query<{ fetches: number; errors: number }>(readErrorRate)).rows;
    const { fetches = 0, errors = 0 } = row ?? {};
    if (fetches < LEAST_FETCHES || errors <= fetches * MOST_ERRORS) return [];
    const percent = Math.floor((errors / fetches) * 100);
    const message = `${percent} % of the fetches of the last five minutes failed (${errors} of ${fetches}).`;
    return [{ subject: '', message }];
  },
};
