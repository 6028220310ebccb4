/** Proxies as rows: planted without the door, and read back. */
import { randomBytes } from 'node:crypto';
import { createSecretBox, type SecretBox } from '../../src/platform/secret-box.ts';
import type { TestDatabase } from './postgres.ts';

const box: SecretBox = createSecretBox(randomBytes(32), 'the test');
export const openTestSecrets = async (): Promise<SecretBox> => box;

export interface PlantedProxy {
  readonly protocol: 'http' | 'https' | 'socks5';
  readonly host?: string;
  readonly port: number;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly isShared?: boolean;
  readonly country?: string;
  readonly maxPerHour?: number;
}

export async function plantProxies(
  database: TestDatabase,
  proxies: readonly PlantedProxy[],
): Promise<number[]> {
  const ids: number[] = [];
  for (const { protocol, host = '127.0.0.1', port, user, password, ...rest } of proxies) {
    const { isShared = true, country = null, maxPerHour = 1000 } = rest;
    const sealed = password === undefined ? null : box.seal(password, 'proxy');
    const { rows } = await database.execute<{ id: number }>(
      `insert into proxies (proxy_protocol, proxy_url, proxy_port, proxy_username, proxy_password, is_shared,
                            country_code, max_requests_per_hour)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
      [protocol, host, port, user ?? null, sealed, isShared, country, maxPerHour],
    );
    ids.push(...rows.map(({ id }) => Number(id)));
  }
  return ids;
}

export interface PairStanding {
  readonly proxyId: number;
  readonly isActive: boolean;
  readonly disabledBy: string | null;
  readonly failureCount: number;
  readonly successCount: number;
  readonly failuresTotal: number;
  readonly lastError: string | null;
  readonly hasRetry: boolean;
}

const standing = (of: string): string =>
  `${of}.is_active as "isActive", ${of}.disabled_by as "disabledBy", ${of}.failure_count as "failureCount",
   ${of}.success_count::int as "successCount", ${of}.failures_total::int as "failuresTotal",
   ${of}.last_error as "lastError", ${of}.retry_at is not null as "hasRetry"`;

/** Of the only domain, or of the one that is named. */
export async function readPairs(database: TestDatabase, domain?: string): Promise<PairStanding[]> {
  const { rows } = await database.execute<PairStanding>(
    `select m.proxy_id::int as "proxyId", ${standing('m')}
       from domain_proxies m join domains d on d.id = m.domain_id
      where $1::text is null or d.domain = $1 order by m.proxy_id`,
    [domain ?? null],
  );
  return [...rows];
}

export async function readProxies(database: TestDatabase): Promise<PairStanding[]> {
  const { rows } = await database.execute<PairStanding>(
    `select p.id::int as "proxyId", ${standing('p')} from proxies p order by p.id`,
  );
  return [...rows];
}

/** As somebody would who gives a domain a pool of its own. */
export async function assignProxies(
  database: TestDatabase,
  domain: string,
  ids: readonly number[],
  terms: { readonly priority?: number; readonly maxPerHour?: number } = {},
): Promise<void> {
  await database.execute(
    `insert into domain_proxies (domain_id, proxy_id, priority, max_requests_per_hour)
     select d.id, p.id, $3, $4 from domains d, unnest($2::bigint[]) as p (id) where d.domain = $1`,
    [domain, ids, terms.priority ?? 5, terms.maxPerHour ?? null],
  );
}
