/** More than one request in ten that goes through proxies to a domain fails, over an hour. */
import { loadSql } from '../../platform/sql-file.ts';
import type { AlertRule } from './rule.ts';

const findFailing = loadSql(import.meta.url, './find-failing-proxies.sql');

const MOST_FAILURES = 0.1;
/** Of fewer, a few bad ones say nothing. */
const LEAST_REQUESTS = 20;
const MOST_TOLD = 100;

interface FailingDomain {
  readonly domain: string;
  readonly requests: number;
  readonly failures: number;
  readonly hasProxies: boolean;
}

export const proxyFailures: AlertRule = {
  code: 'proxy-failures',
  severity: 'warning',
  hint: 'see which proxies fail, and how: GET /api/admin/domains/<name>/proxies, "forager proxy pool"',
  find: async ({ db }) => {
    const { rows } = await db.query<FailingDomain>(findFailing, [MOST_FAILURES, LEAST_REQUESTS, MOST_TOLD]);
    return rows.map(({ domain, requests, failures, hasProxies }) => ({
      subject: domain,
      message:
        `${percent(failures / requests)} % of the requests to ${domain} through proxies failed in the last ` +
        `hour (${failures} of ${requests}).`,
      ...(!hasProxies && { hint: GONE }),
    }));
  },
};

const GONE =
  'the proxies that failed are removed: it is over within the hour; those there are: GET /api/admin/proxies, "forager proxy list"';

/** Rounded up: a little more than ten is not ten. */
function percent(share: number): number {
  return Math.ceil(Number((share * 1000).toFixed(6))) / 10;
}
