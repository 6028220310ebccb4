/** Many proxies at once, from lines: good ones are taken, of the others it is said why not. */
import type { Database } from '../../platform/database.ts';
import { byteaArray, numberArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { type DomainId, findDomain } from '../domains/find-domain.ts';
import { assignWithin } from './assign-proxies.ts';
import {
  findPlaced,
  insertWithin,
  type ProxyDetails,
  type ProxyRules,
  sealPassword,
} from './create-proxy.ts';
import { findPrivateProxy } from './proxy-host.ts';
import { readProxyLine, showProxyLine } from './proxy-line.ts';
import type { AccessReading, ProxyAccess, ProxyPlace } from './proxy-place.ts';
import { lockSharing, refuseToUnshare } from './refuse-loss.ts';
import { wakeDomainsFor } from './wake-waiting.ts';

const updateImported = loadSql(import.meta.url, './update-imported.sql');

/** So many lines are stored in one transaction. */
const PORTION_LINES = 1000;

export interface ImportLine {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
}

export interface LineResult {
  readonly line: number;
  readonly result: 'added' | 'updated' | 'duplicate' | 'refused';
  /** Without its password. */
  readonly proxy: string;
  readonly id: number | null;
  readonly reason: string | null;
}

export interface ImportOptions extends ProxyDetails {
  readonly onDuplicate: 'skip' | 'update';
  /** Assign all of them to this domain as well. */
  readonly domain?: string | undefined;
  /** Also where the last shared proxy is shared no longer by it. */
  readonly confirm?: boolean | undefined;
}

export interface ImportPortion {
  readonly results: readonly LineResult[];
  /** To the domain, and were not before. */
  readonly assigned: number;
}

interface GoodLine {
  readonly line: ImportLine;
  readonly access: ProxyAccess;
}

/** What became of each line that is neither empty nor a comment, in their order, portion by portion. */
export async function* importProxies(
  db: Database,
  lines: AsyncIterable<readonly ImportLine[]> | Iterable<readonly ImportLine[]>,
  options: ImportOptions,
  rules: ProxyRules,
  actor: Actor,
): AsyncGenerator<ImportPortion> {
  const { domain } = options;
  const owner = domain === undefined ? undefined : await findDomain(db, domain);
  const store = (portion: readonly ImportLine[]): Promise<ImportPortion> =>
    storePortion(db, portion, options, owner, rules, actor);
  let waiting: ImportLine[] = [];
  for await (const some of lines) {
    waiting.push(...some);
    while (waiting.length >= PORTION_LINES) {
      yield await store(waiting.slice(0, PORTION_LINES));
      waiting = waiting.slice(PORTION_LINES);
    }
  }
  if (waiting.length > 0) yield await store(waiting);
}

async function storePortion(
  db: Database,
  lines: readonly ImportLine[],
  options: ImportOptions,
  owner: DomainId | undefined,
  rules: ProxyRules,
  actor: Actor,
): Promise<ImportPortion> {
  const results: LineResult[] = [];
  const good = new Map<string, GoodLine>();
  for (const line of lines) {
    const reading = readAnyLine(line.text);
    if (reading === undefined) continue;
    const access = reading.kind === 'proxy' ? reading.proxy : undefined;
    const shown = { line: line.number, proxy: showProxyLine(line.text, access), id: null };
    const reason = reading.kind === 'refused' ? reading.reason : findPrivate(reading.proxy, rules);
    const earlier = access === undefined ? undefined : good.get(keyOf(access));
    if (access === undefined || reason !== undefined)
      results.push({ ...shown, result: 'refused', reason: reason ?? null });
    else if (earlier !== undefined)
      results.push({
        ...shown,
        result: 'duplicate',
        reason: `line ${earlier.line.number} is the same proxy`,
      });
    else good.set(keyOf(access), { line, access });
  }
  let assigned = 0;
  if (good.size > 0) {
    const stored = await inTransaction(db, (tx) => storeWithin(tx, good, options, owner, rules, actor));
    results.push(...stored.results);
    assigned = stored.assigned;
  }
  return { results: results.sort((a, b) => a.line - b.line), assigned };
}

/** Whatever a line does to its reader, the others are read. */
function readAnyLine(text: string): AccessReading | undefined {
  try {
    return readProxyLine(text);
  } catch {
    return { kind: 'refused', reason: 'it cannot be read' };
  }
}

/** Everybody locks domains before proxies: a domain that they are assigned to comes first. */
async function storeWithin(
  tx: Transaction,
  good: ReadonlyMap<string, GoodLine>,
  options: ImportOptions,
  owner: DomainId | undefined,
  { box }: ProxyRules,
  actor: Actor,
): Promise<ImportPortion> {
  const { onDuplicate, domain: _, confirm, ...details } = options;
  const accesses = [...good.values()].map(({ access }) => access);
  const isUpdated = onDuplicate === 'update';
  const assign = owner === undefined ? undefined : await assignWithin(tx, owner, {}, actor);
  const isUnsharing = isUpdated && details.isShared === false;
  if (isUnsharing) await lockSharing(tx);
  const added = await insertWithin(tx, accesses, details, { box, actor, isActive: true });
  const isNew = new Set(added.map(({ id }) => id));
  const known = (await findPlaced(tx, accesses)).filter(({ id }) => !isNew.has(id));
  if (isUpdated && known.length > 0) {
    const knownIds = known.map(({ id }) => id);
    if (isUnsharing && confirm !== true) await refuseToUnshare(tx, knownIds);
    const passwords = known.map((place) =>
      sealPassword(box, good.get(keyOf(place))?.access.password ?? null),
    );
    await tx.query(updateImported, [numberArray(knownIds), byteaArray(passwords), JSON.stringify(details)]);
  }
  const all = [...added, ...known];
  const assigned = (await assign?.(all.map(({ id }) => id)))?.assigned ?? 0;
  const helpful = isUpdated ? all : added;
  if (helpful.length > 0)
    await wakeDomainsFor(
      tx,
      helpful.map(({ id }) => id),
      details.isShared !== false,
    );
  const figures = { added: added.length, updated: isUpdated ? known.length : 0 };
  if (figures.added + figures.updated > 0) await recordAct(tx, actor, 'proxy.import', undefined, figures);
  const results = all.flatMap((place): LineResult[] => {
    const line = good.get(keyOf(place))?.line;
    if (line === undefined) return [];
    const shown = { line: line.number, proxy: showProxyLine('', place), id: place.id };
    if (isNew.has(place.id)) return [{ ...shown, result: 'added', reason: null }];
    return isUpdated
      ? [{ ...shown, result: 'updated', reason: null }]
      : [{ ...shown, result: 'duplicate', reason: 'it is there already; nothing of it was changed' }];
  });
  return { results, assigned };
}

function findPrivate({ host }: ProxyAccess, { allowPrivate }: ProxyRules): string | undefined {
  return allowPrivate ? undefined : findPrivateProxy(host);
}

function keyOf({ protocol, host, port, username }: ProxyPlace): string {
  return JSON.stringify([protocol, host, port, username]);
}
