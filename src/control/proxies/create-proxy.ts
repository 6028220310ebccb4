/** A new proxy. Its password is sealed before it goes anywhere. */
import { PROXY_PROTOCOLS } from '../../contract/proxies.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { byteaArray, numberArray, textArray } from '../../platform/pg-array.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { PASSWORD_PURPOSE, type ProxyRecord, readProxy } from './proxy.ts';
import { findPrivateProxy } from './proxy-host.ts';
import { readProxyLine } from './proxy-line.ts';
import { type ProxyAccess, type ProxyPlace, readAccess, writePlace } from './proxy-place.ts';
import { wakeDomainsFor } from './wake-waiting.ts';

const insertProxies = loadSql(import.meta.url, './insert-proxies.sql');
const findPlaces = loadSql(import.meta.url, './find-places.sql');

const USUAL_PER_HOUR = 1000;

export interface ProxyRules {
  readonly box: SecretBox;
  /** Proxies on private addresses may be used. */
  readonly allowPrivate: boolean;
}

export interface ProxyDetails {
  readonly isShared?: boolean | undefined;
  readonly countryCode?: string | null | undefined;
  readonly city?: string | null | undefined;
  readonly provider?: string | null | undefined;
  readonly monthlyCost?: number | null | undefined;
  readonly maxRequestsPerHour?: number | undefined;
}

export interface WantedProxy extends ProxyDetails {
  readonly url?: string | undefined;
  readonly protocol?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly username?: string | null | undefined;
  readonly password?: string | null | undefined;
  readonly isActive?: boolean | undefined;
}

export async function createProxy(
  db: Database,
  wanted: WantedProxy,
  { box, allowPrivate }: ProxyRules,
  actor: Actor,
): Promise<ProxyRecord> {
  const access = readWanted(wanted);
  if (!allowPrivate) refusePrivate(access.host);
  const { isShared = true, isActive = true } = wanted;
  return inTransaction(db, async (tx) => {
    const [row] = await insertWithin(tx, [access], wanted, { box, actor, isActive });
    if (row === undefined) throw await describeTaken(tx, access);
    if (isActive) await wakeDomainsFor(tx, [row.id], isShared);
    await recordAct(tx, actor, 'proxy.create', String(row.id), {
      ...{ proxy: withoutUser(access), hasPassword: access.password !== null, isShared, isActive },
    });
    return readProxy(tx, row.id);
  });
}

export type PlacedProxy = ProxyPlace & { readonly id: number };

/** Those that were not there yet. */
export async function insertWithin(
  tx: Transaction,
  proxies: readonly ProxyAccess[],
  details: ProxyDetails,
  { box, actor, isActive }: { readonly box: SecretBox; readonly actor: Actor; readonly isActive: boolean },
): Promise<PlacedProxy[]> {
  const { isShared = true, countryCode, city, provider, monthlyCost } = details;
  const values = [
    ...placesOf(proxies),
    byteaArray(proxies.map(({ password }) => sealPassword(box, password))),
    ...[isShared, countryCode ?? null, city ?? null, provider ?? null, monthlyCost ?? null],
    ...[details.maxRequestsPerHour ?? USUAL_PER_HOUR, isActive, actor.name],
  ];
  return (await tx.query<PlacedProxy>(insertProxies, values)).rows;
}

export async function findPlaced(tx: Transaction, proxies: readonly ProxyPlace[]): Promise<PlacedProxy[]> {
  return (await tx.query<PlacedProxy>(findPlaces, placesOf(proxies))).rows;
}

function placesOf(proxies: readonly ProxyPlace[]): string[] {
  return [
    textArray(proxies.map(({ protocol }) => protocol)),
    textArray(proxies.map(({ host }) => host)),
    numberArray(proxies.map(({ port }) => port)),
    textArray(proxies.map(({ username }) => username)),
  ];
}

export function sealPassword(box: SecretBox, password: string | null): Buffer | null {
  return password === null ? null : box.seal(password, PASSWORD_PURPOSE);
}

function readWanted(wanted: WantedProxy): ProxyAccess {
  const { url, protocol = 'http', host, port, username, password } = wanted;
  const isApart = [wanted.protocol, host, port].some((part) => part !== undefined);
  if (url !== undefined && isApart)
    throw badProxy('where it is stands in url, or in protocol, host and port');
  if (url === undefined) {
    if (host === undefined) throw badProxy('it names no host');
    if (port === undefined) throw badProxy('it names no port');
    return expectAccess(readAccess({ protocol, host, port, username, password }));
  }
  const read = expectAccess(readProxyLine(url) ?? { kind: 'refused', reason: 'nothing stands there' });
  return expectAccess(
    readAccess({ ...read, username: username ?? read.username, password: password ?? read.password }),
  );
}

function expectAccess(reading: ReturnType<typeof readAccess>): ProxyAccess {
  if (reading.kind === 'proxy') return reading.proxy;
  throw badProxy(reading.reason);
}

export function refusePrivate(host: string): void {
  const problem = findPrivateProxy(host);
  if (problem === undefined) return;
  throw new ForagerError('bad-proxy', `The proxy cannot be used: ${problem}.`, {
    hint: 'set FORAGER_PRIVATE_PROXIES=true for every process, or give the address that it has for everybody',
  });
}

export function badProxy(reason: string): ForagerError {
  return new ForagerError('bad-proxy', `The proxy cannot be used: ${reason}.`, {
    hint: `give it as protocol://user:password@host:port, with ${PROXY_PROTOCOLS.join(', ')} for the protocol`,
  });
}

async function describeTaken(tx: Transaction, place: ProxyPlace): Promise<ForagerError> {
  const [found] = await findPlaced(tx, [place]);
  return proxyExists(place, found?.id);
}

export function proxyExists(place: ProxyPlace, id: number | undefined): ForagerError {
  const what = id === undefined ? 'There is such a proxy' : `Proxy ${id} is that one`;
  return new ForagerError('proxy-exists', `${what} already: ${writePlace(place)}.`, {
    ...(id !== undefined && { hint: `"forager proxy set ${id}" changes it` }),
  });
}

/** For the log of acts: some user names are as good as a password. */
export function withoutUser(place: ProxyPlace): string {
  return writePlace({ ...place, username: null });
}
