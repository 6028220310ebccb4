/** A pool is almost used up: with one or two left a site soon sees the same address again and again. */
import { loadSql } from '../../platform/sql-file.ts';
import type { AlertRule } from './rule.ts';

const findLowPools = loadSql(import.meta.url, './find-low-pools.sql');

const LEAST_ACTIVE = 3;
/** More would say nothing that these do not. */
const MOST_TOLD = 100;

interface LowPool {
  readonly domain: string;
  readonly total: number;
  readonly active: number;
}

export const proxiesLow: AlertRule = {
  code: 'proxies-low',
  severity: 'warning',
  hint: 'assign more proxies to the domain, or see why those it has are out: GET /api/admin/domains/<name>/proxies, "forager proxy pool"',
  find: async ({ db }) => {
    const { rows } = await db.query<LowPool>(findLowPools, [LEAST_ACTIVE, MOST_TOLD]);
    return rows.map(({ domain, total, active }) => ({
      subject: domain,
      message:
        active === 0
          ? `None of the ${total} proxies of ${domain} can be used: it waits.`
          : `Only ${active} of the ${total} proxies of ${domain} can be used.`,
    }));
  },
};
