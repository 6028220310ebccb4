/** Changing, switching and removing a proxy. */
import type { Database } from '../../platform/database.ts';
import { errorCode, ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import {
  badProxy,
  type ProxyDetails,
  type ProxyRules,
  proxyExists,
  refusePrivate,
  sealPassword,
  withoutUser,
} from './create-proxy.ts';
import { type ProxyRecord, readProxy, unknownProxy } from './proxy.ts';
import { type ProxyPlace, readAccess } from './proxy-place.ts';
import { lockSharing, refuseToEmpty, refuseToUnshare } from './refuse-loss.ts';
import { lockDomainsOf, wakeDomainsFor } from './wake-waiting.ts';

const lockProxySql = loadSql(import.meta.url, './lock-proxy.sql');
const changeProxySql = loadSql(import.meta.url, './change-proxy.sql');
const hurryPairs = loadSql(import.meta.url, './hurry-pairs.sql');
const holdToDelete = loadSql(import.meta.url, './hold-proxy-to-delete.sql');
const deleteProxySql = loadSql(import.meta.url, './delete-proxy.sql');

export interface ProxyChanges extends ProxyDetails {
  readonly protocol?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly username?: string | null | undefined;
  readonly password?: string | null | undefined;
  readonly isActive?: boolean | undefined;
}

type LockedProxy = ProxyPlace & { readonly isShared: boolean; readonly hasPassword: boolean };

/** `rules` may be left out where neither the place nor the password is changed; `isConfirmed`: see refuse-loss.ts. */
export async function changeProxy(
  db: Database,
  id: number,
  changes: ProxyChanges,
  rules: ProxyRules | undefined,
  actor: Actor,
  isConfirmed = false,
): Promise<ProxyRecord> {
  return inTransaction(db, async (tx) => {
    await lockDomainsOf(tx, id);
    if (changes.isShared === false) await lockSharing(tx);
    const before = await lockProxy(tx, id);
    const { written, password } = planChanges(before, changes, rules);
    if (changes.isShared === false && !isConfirmed) await refuseToUnshare(tx, [id]);
    const sealed = password === undefined || rules === undefined ? null : sealPassword(rules.box, password);
    const values = [id, JSON.stringify(written), sealed, password !== undefined, actor.name];
    await tx.query(changeProxySql, values).catch((error: unknown) => {
      // Another one has that place: nothing more can be asked in this transaction.
      if (errorCode(error) === '23505') throw proxyExists({ ...before, ...written } as ProxyPlace, undefined);
      throw error;
    });
    if (changes.isActive === true) await tx.query(hurryPairs, [id]);
    if (changes.isActive !== false) await wakeDomainsFor(tx, [id], changes.isShared ?? before.isShared);
    await recordAct(tx, actor, actionOf(changes), String(id), describeChanges(before, written, password));
    return readProxy(tx, id);
  });
}

/** Nobody is asked for anything when it is no longer there, or all domains that used it would go without. */
export async function deleteProxy(
  db: Database,
  id: number,
  isConfirmed: boolean,
  actor: Actor,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockDomainsOf(tx, id, true);
    await lockSharing(tx);
    const [before] = (await tx.query<ProxyPlace>(holdToDelete, [id])).rows;
    if (before === undefined) throw unknownProxy(id);
    if (!isConfirmed) {
      await refuseToEmpty(tx, id, undefined);
      await refuseToUnshare(tx, [id]);
    }
    await tx.query(deleteProxySql, [id]);
    await recordAct(tx, actor, 'proxy.delete', String(id), { proxy: withoutUser(before) });
  });
}

async function lockProxy(tx: Transaction, id: number): Promise<LockedProxy> {
  const [found] = (await tx.query<LockedProxy>(lockProxySql, [id])).rows;
  if (found === undefined) throw unknownProxy(id);
  return found;
}

interface Plan {
  /** What is written, without the password. */
  readonly written: Readonly<Record<string, unknown>>;
  /** Undefined: it stays as it is; null: it goes. */
  readonly password: string | null | undefined;
}

function planChanges(before: LockedProxy, changes: ProxyChanges, rules: ProxyRules | undefined): Plan {
  const { password: given, protocol, host, port, username, ...others } = changes;
  const written = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  const isMoved = [protocol, host, port, username].some((value) => value !== undefined);
  // Nobody is let in by a password alone.
  const password = given === '' || (username === null && given === undefined) ? null : given;
  if (!isMoved && password === undefined) return { written, password };
  const reading = readAccess({
    protocol: protocol ?? before.protocol,
    host: host ?? before.host,
    port: port ?? before.port,
    username: username === undefined ? before.username : username,
    password,
  });
  if (reading.kind === 'refused') throw badProxy(reading.reason);
  const { password: _, ...place } = reading.proxy;
  if (host !== undefined && !rules?.allowPrivate) refusePrivate(place.host);
  if (before.hasPassword && password === undefined) refuseToFollow(before, place);
  return { written: isMoved ? { ...written, ...place } : written, password };
}

/** A password is given to one proxy. Whoever may name another place must not get it sent there without knowing it. */
function refuseToFollow(before: ProxyPlace, after: ProxyPlace): void {
  const changed = (['protocol', 'host', 'port', 'username'] as const).find(
    (part) => before[part] !== after[part],
  );
  if (changed === undefined) return;
  throw new ForagerError(
    'bad-proxy',
    `Its password was for another ${changed === 'username' ? 'user name' : changed}: with a new one, password must be ` +
      'given again, or be null.',
    { hint: 'give password again (--password, --password-stdin), or remove it with null (--no-password)' },
  );
}

function actionOf({ isActive, ...others }: ProxyChanges): string {
  const isSwitch = Object.values(others).every((value) => value === undefined);
  if (isActive === undefined || !isSwitch) return 'proxy.change';
  return isActive ? 'proxy.enable' : 'proxy.disable';
}

/** For the log of acts: neither the password nor the user name. */
function describeChanges(
  before: LockedProxy,
  written: Plan['written'],
  password: Plan['password'],
): Record<string, unknown> {
  const { username, protocol, host, port, ...others } = written;
  const isMoved = protocol !== undefined;
  return {
    ...(isMoved && { proxy: withoutUser({ ...before, ...written } as ProxyPlace) }),
    ...(isMoved && username !== before.username && { username: username === null ? 'removed' : 'changed' }),
    ...(password !== undefined && { password: password === null ? 'removed' : 'changed' }),
    ...others,
  };
}
