/** A proxy as it is told about: everything but its password. */
import type { ProxyProtocol } from '../../contract/proxies.ts';
import type { Database, Queryable } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';

const listProxiesSql = loadSql(import.meta.url, './list-proxies.sql');
const readProxySql = loadSql(import.meta.url, './read-proxy.sql');

/** What the encryption of a password is bound to. */
export const PASSWORD_PURPOSE = 'proxy';

/** The same words mean the same for a proxy and for a proxy and a domain together. */
export interface Health {
  readonly isActive: boolean;
  readonly disabledBy: string | null;
  readonly disabledAt: Date | null;
  readonly retryAt: Date | null;
  readonly outagesCount: number;
  readonly failureCount: number;
  readonly successCount: number;
  readonly failuresTotal: number;
  readonly successRate: number | null;
  readonly lastUsedAt: Date | null;
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  readonly lastError: string | null;
  readonly avgResponseTimeMs: number | null;
  readonly requestsLastHour: number;
}

export interface ProxyRecord extends Health {
  readonly id: number;
  readonly protocol: ProxyProtocol;
  readonly host: string;
  readonly port: number;
  readonly username: string | null;
  readonly hasPassword: boolean;
  readonly isShared: boolean;
  readonly exitAddress: string | null;
  readonly checkedAt: Date | null;
  readonly countryCode: string | null;
  readonly city: string | null;
  readonly provider: string | null;
  readonly monthlyCost: number | null;
  readonly maxRequestsPerHour: number;
  readonly domainsCount: number;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface ProxyFilter {
  readonly state?: 'active' | 'out' | 'disabled' | undefined;
  readonly isActive?: boolean | undefined;
  readonly isShared?: boolean | undefined;
  readonly protocol?: ProxyProtocol | undefined;
  readonly countryCode?: string | undefined;
  readonly provider?: string | undefined;
  readonly text?: string | undefined;
}

export async function listProxies(
  db: Database,
  filter: ProxyFilter,
  below: number | undefined,
  limit: number,
): Promise<ProxyRecord[]> {
  const { state, isActive, isShared, protocol, countryCode, provider, text } = filter;
  const values = [
    ...[below ?? null, limit, state ?? null, isActive ?? null, isShared ?? null],
    ...[protocol ?? null, countryCode ?? null, provider ?? null, text ?? null],
  ];
  return (await db.query<ProxyRecord>(listProxiesSql, values)).rows;
}

export async function readProxy(db: Queryable, id: number): Promise<ProxyRecord> {
  const [found] = (await db.query<ProxyRecord>(readProxySql, [id])).rows;
  if (found === undefined) throw unknownProxy(id);
  return found;
}

export function unknownProxy(id: number): ForagerError {
  return new ForagerError('unknown-proxy', `There is no proxy ${id}.`, {
    hint: '"forager proxy list" shows those that there are',
  });
}
