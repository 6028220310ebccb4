/** Proxies are almost used up: with one or two left a site soon sees the same address again and again. */
import { loadSql } from '../../platform/sql-file.ts';
import type { AlertRule, Finding } from './rule.ts';

const findLowPools = loadSql(import.meta.url, './find-low-pools.sql');

const LEAST_ACTIVE = 3;
/** More would say nothing that these do not. */
const MOST_TOLD = 100;

interface LowPool {
  readonly domain: string;
  /** False: it uses the shared ones, and must not go without. */
  readonly hasPool: boolean;
  readonly total: number;
  readonly active: number;
  /** It has something to do. */
  readonly isAtWork: boolean;
}

export const proxiesLow: AlertRule = {
  code: 'proxies-low',
  severity: 'warning',
  hint: 'assign more proxies to the domain, or see why those it has are out: GET /api/admin/domains/<name>/proxies, "forager proxy pool"',
  find: async ({ db }) => {
    const { rows } = await db.query<LowPool>(findLowPools, [LEAST_ACTIVE, MOST_TOLD]);
    return rows.map(describe);
  },
};

const OF_SHARED =
  'add shared proxies, or assign some to the domain; those there are, and why they are out: GET /api/admin/proxies, "forager proxy list"';

function describe(pool: LowPool): Finding {
  const { domain, hasPool, active, isAtWork } = pool;
  const end = active === 0 && isAtWork ? ': it waits.' : '.';
  const message = (hasPool ? describeOwn(pool) : describeShared(pool)) + end;
  return { subject: domain, message, ...(!hasPool && { hint: OF_SHARED }) };
}

function describeOwn({ domain, total, active }: LowPool): string {
  if (active === total) return `${domain} has only ${active} ${active === 1 ? 'proxy' : 'proxies'}`;
  if (active > 0) return `Only ${active} of the ${total} proxies of ${domain} can be used`;
  return total === 1
    ? `The only proxy of ${domain} cannot be used`
    : `None of the ${total} proxies of ${domain} can be used`;
}

function describeShared({ domain, total, active }: LowPool): string {
  if (total === 0) return `There is no proxy for ${domain}, which must not be crawled without one`;
  if (active === total)
    return `There ${active === 1 ? 'is' : 'are'} only ${active} shared ${active === 1 ? 'proxy' : 'proxies'} for ${domain}`;
  if (active > 0) return `Only ${active} of the ${total} shared proxies can be used for ${domain}`;
  return total === 1
    ? `The only shared proxy cannot be used for ${domain}`
    : `None of the ${total} shared proxies can be used for ${domain}`;
}
