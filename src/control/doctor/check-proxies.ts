/** Can what is to go through proxies go through them? Whether their passwords can be read is told with the secret key. */
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database.ts';
import { errorCode } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findPrivateProxy } from '../proxies/proxy-host.ts';
import { type Check, ok, warning } from './check.ts';

const readProxies = loadSql(import.meta.url, './read-proxies.sql');

const NAME = 'proxies';
const LIST = '"forager proxy list" shows them';
/** No table or no column of that name: the schema is older, which is told elsewhere. */
const OLDER_SCHEMA = ['42P01', '42703'];

type ProxyConfig = Pick<Config, 'allowPrivate' | 'privateProxies'>;

interface Proxies {
  readonly proxies: number;
  readonly active: number;
  readonly out: number;
  readonly disabled: number;
  readonly hosts: readonly string[];
  readonly waiting: number;
  readonly lonely: number;
}

export async function checkProxies(db: Database, config: ProxyConfig): Promise<Check[]> {
  try {
    const [proxies] = (await db.query<Proxies>(readProxies)).rows;
    return proxies === undefined ? [] : judge(proxies, config);
  } catch (error) {
    if (OLDER_SCHEMA.includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}

function judge(found: Proxies, config: ProxyConfig): Check[] {
  const checks = [...judgeProxies(found), ...judgePlaces(found, config), ...judgeDomains(found)];
  if (checks.length > 0) return checks;
  if (found.proxies === 0) return [ok(NAME, 'none: everything is fetched directly')];
  return [ok(NAME, `${found.active} of ${found.proxies} can be used${describeRest(found)}`)];
}

function judgeProxies({ proxies, active, ...rest }: Proxies): Check[] {
  if (proxies === 0 || active > 0) return [];
  const fix = `${LIST}; those that are out for their failures are tried again by themselves`;
  return [warning(NAME, `none of ${proxies} can be used${describeRest(rest)}`, fix)];
}

function describeRest({ out, disabled }: Pick<Proxies, 'out' | 'disabled'>): string {
  const parts = [
    ...(out > 0 ? [`${out} out for ${out === 1 ? 'its' : 'their'} failures`] : []),
    ...(disabled > 0 ? [`${disabled} switched off`] : []),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function judgePlaces({ hosts }: Proxies, { allowPrivate, privateProxies }: ProxyConfig): Check[] {
  if (allowPrivate || privateProxies) return [];
  const inside = hosts.filter((host) => findPrivateProxy(host) !== undefined);
  if (inside.length === 0) return [];
  const fix = 'set FORAGER_PRIVATE_PROXIES=true for every process, or switch these proxies off';
  const which = inside.length === 1 ? 'one host is' : `${inside.length} hosts are`;
  return [warning(NAME, `${which} on this machine or its network, where no proxy may be`, fix)];
}

function judgeDomains({ waiting, lonely }: Proxies): Check[] {
  const checks: Check[] = [];
  if (waiting > 0) {
    const fix =
      '"forager explain <domain>" says what a domain waits for; to add, assign or enable a proxy wakes it';
    checks.push(warning(NAME, `${tell(waiting)} for a proxy`, fix));
  }
  if (lonely > 0) {
    const fix =
      'add shared proxies, assign some to them, or let them go without: "forager domain set <domain> --proxy-mode auto"';
    const which =
      lonely === 1 ? '1 domain must not be fetched' : `${describe(lonely)} domains must not be fetched`;
    checks.push(
      warning(NAME, `${which} without a proxy, and there is none for ${lonely === 1 ? 'it' : 'them'}`, fix),
    );
  }
  return checks;
}

const MOST = 10_000;

function tell(count: number): string {
  return count === 1 ? '1 domain waits' : `${describe(count)} domains wait`;
}

function describe(count: number): string {
  return count >= MOST ? '10,000 or more' : count.toLocaleString('en-US');
}
