/** The proxies of a domain, and what it has seen of each. */
import type { ProxyProtocol } from '../../contract/proxies.ts';
import type { Database, Queryable } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { DomainId } from '../domains/find-domain.ts';
import type { Health } from './proxy.ts';
import { writePlace } from './proxy-place.ts';

const listPoolSql = loadSql(import.meta.url, './list-pool.sql');
const readPairSql = loadSql(import.meta.url, './read-pair.sql');
const listPoolHealthSql = loadSql(import.meta.url, './list-pool-health.sql');

export interface PairedProxy extends Health {
  readonly proxyId: number;
  readonly proxy: string;
  readonly isAssigned: boolean;
  readonly priority: number;
  readonly maxRequestsPerHour: number | null;
  readonly effectiveMaxRequestsPerHour: number;
  readonly grantedLastHour: number;
  readonly state: 'active' | 'out' | 'disabled';
  readonly whyOut: string | null;
  readonly countryCode: string | null;
  readonly provider: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface PairRow extends Omit<PairedProxy, 'proxy' | 'state' | 'whyOut'> {
  readonly protocol: ProxyProtocol;
  readonly host: string;
  readonly port: number;
  readonly username: string | null;
  readonly isProxyActive: boolean;
  readonly proxyDisabledBy: string | null;
  readonly proxyRetryAt: Date | null;
  readonly isElsewhere: boolean;
}

export interface PoolPosition {
  readonly priority: number;
  readonly proxyId: number;
}

export async function listPool(
  db: Database,
  domainId: number,
  isAssigned: boolean | undefined,
  beyond: PoolPosition | undefined,
  limit: number,
): Promise<PairedProxy[]> {
  const values = [domainId, beyond?.priority ?? null, beyond?.proxyId ?? null, isAssigned ?? null, limit];
  return (await db.query<PairRow>(listPoolSql, values)).rows.map(describePair);
}

export async function readPair(
  db: Queryable,
  { id, domain }: DomainId,
  proxyId: number,
): Promise<PairedProxy> {
  const [found] = (await db.query<PairRow>(readPairSql, [id, proxyId])).rows;
  if (found === undefined) throw unknownPair(domain, proxyId);
  return describePair(found);
}

export function unknownPair(domain: string, proxyId: number): ForagerError {
  return new ForagerError('unknown-pair', `Proxy ${proxyId} is not in the pool of ${domain}.`, {
    hint: `"forager proxy pool ${domain}" shows those that are`,
  });
}

function describePair(row: PairRow): PairedProxy {
  const {
    protocol,
    host,
    port,
    username,
    isProxyActive,
    proxyDisabledBy,
    proxyRetryAt,
    isElsewhere,
    ...pair
  } = row;
  const reasons = [
    ...(isProxyActive ? [] : [`the proxy itself is ${describeOutage(proxyDisabledBy, proxyRetryAt)}`]),
    ...(pair.isActive ? [] : [`for this domain it is ${describeOutage(pair.disabledBy, pair.retryAt)}`]),
    ...(isElsewhere ? ['it is not in the country that the domain is crawled from'] : []),
  ];
  const whyOut = reasons.length === 0 ? null : `${reasons.join('; ')}.`;
  const isSwitchedOff = [pair.disabledBy, proxyDisabledBy].some((by) => by !== null && by !== 'failures');
  return {
    ...pair,
    state: whyOut === null ? 'active' : isSwitchedOff ? 'disabled' : 'out',
    proxy: writePlace({ protocol, host, port, username }),
    whyOut: whyOut && whyOut.charAt(0).toUpperCase() + whyOut.slice(1),
  };
}

export function describeOutage(disabledBy: string | null, retryAt: Date | null): string {
  if (disabledBy !== 'failures') return `switched off by ${disabledBy ?? 'somebody'}`;
  const again =
    retryAt === null
      ? ''
      : `, and tried again from ${retryAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `out for its failures${again}`;
}

export interface PoolHealth {
  readonly id: number;
  readonly domain: string;
  readonly hasOwnPool: boolean;
  readonly proxyMode: 'auto' | 'direct' | 'required';
  readonly totalProxies: number;
  readonly activeProxies: number;
  readonly failingProxies: number;
  readonly avgResponseTimeMs: number | null;
  readonly successCount: number;
  readonly failuresTotal: number;
  readonly successRate: number | null;
  readonly requestsLastHour: number;
  readonly failuresLastHour: number;
  readonly isWaiting: boolean;
  readonly waitingBecause: string | null;
}

export async function listPoolHealth(
  db: Database,
  beyond: number | undefined,
  limit: number,
): Promise<PoolHealth[]> {
  return (await db.query<PoolHealth>(listPoolHealthSql, [beyond ?? null, limit])).rows;
}
