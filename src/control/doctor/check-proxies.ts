/** Can what is to go through proxies go through them? Not through one whose password cannot be opened. */
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database.ts';
import { errorCode, ForagerError } from '../../platform/errors.ts';
import { openSecretBox } from '../../platform/secret-box.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findPrivateProxy } from '../proxies/proxy-host.ts';
import { type Check, ok, warning } from './check.ts';

const readProxies = loadSql(import.meta.url, './read-proxies.sql');
const listPasswords = loadSql(import.meta.url, './list-proxy-passwords.sql');

const NAME = 'proxies';
const OPEN_THEM =
  'give this process the FORAGER_SECRET_KEY they were added with, or give the passwords anew: "forager proxy set"';
const LIST = '"forager proxy list" shows them';
/** No table or no column of that name: the schema is older, which is told elsewhere. */
const OLDER_SCHEMA = ['42P01', '42703'];

type ProxyConfig = Pick<Config, 'allowPrivate' | 'privateProxies' | 'secretKey' | 'dataDir'>;

interface Proxies {
  readonly proxies: number;
  readonly active: number;
  readonly out: number;
  readonly disabled: number;
  readonly hosts: readonly string[];
  readonly waiting: number;
  readonly lonely: number;
}

interface Judged extends Proxies {
  /** Active, with a password that cannot be opened here. */
  readonly sealed: number;
}

export async function checkProxies(db: Database, config: ProxyConfig): Promise<Check[]> {
  try {
    const [proxies] = (await db.query<Proxies>(readProxies)).rows;
    return proxies === undefined ? [] : judge({ ...proxies, sealed: await countSealed(db, config) }, config);
  } catch (error) {
    if (OLDER_SCHEMA.includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}

async function countSealed(db: Database, config: ProxyConfig): Promise<number> {
  const { rows } = await db.query<{ password: Buffer }>(listPasswords);
  if (rows.length === 0) return 0;
  try {
    // Looking makes no key: there are secrets.
    const box = await openSecretBox(config, async () => true);
    return rows.filter(({ password }) => !canOpen(() => box.open(password, 'proxy'))).length;
  } catch (error) {
    if (error instanceof ForagerError) return rows.length;
    throw error;
  }
}

function canOpen(open: () => string): boolean {
  try {
    open();
    return true;
  } catch (error) {
    if (error instanceof ForagerError) return false;
    throw error;
  }
}

function judge(found: Judged, config: ProxyConfig): Check[] {
  const checks = [...judgeProxies(found), ...judgePlaces(found, config), ...judgeDomains(found)];
  if (checks.length > 0) return checks;
  if (found.proxies === 0) return [ok(NAME, 'none: everything is fetched directly')];
  return [ok(NAME, describeUsable(found))];
}

function judgeProxies(found: Judged): Check[] {
  if (found.sealed > 0) return [warning(NAME, describeUsable(found), OPEN_THEM)];
  if (found.proxies === 0 || found.active > 0) return [];
  const fix = `${LIST}; those that are out for their failures are tried again by themselves`;
  return [warning(NAME, describeUsable(found), fix)];
}

function describeUsable({ proxies, active, out, disabled, sealed }: Judged): string {
  const usable = active - sealed;
  const parts = [
    ...(sealed > 0 ? [`${sealed} with a password that cannot be opened here`] : []),
    ...(out > 0 ? [`${out} out for ${out === 1 ? 'its' : 'their'} failures`] : []),
    ...(disabled > 0 ? [`${disabled} switched off`] : []),
  ];
  const rest = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  return `${usable === 0 ? 'none' : usable} of ${proxies} can be used${rest}`;
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
