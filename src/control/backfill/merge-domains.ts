/**
 * One transaction: domains that are spellings of one another become the one that was there first, under the
 * canonical name. A domain that is alone with its name is only renamed. If any of those that belong together is
 * leased, none is touched.
 */
import { canonicalDomain, registrableDomain } from '../../engine/frontier/canonical-domain.ts';
import type { Database } from '../../platform/database.ts';
import { errorCode } from '../../platform/errors.ts';
import { numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import type { Renaming } from './canonical-names.ts';
import { type LockedRow, lockRows, sayWhy } from './lock-rows.ts';
import { mergeStates, type StateRow } from './merged-state.ts';
import { moveRows } from './move-rows.ts';
import { recountWithin } from './recount.ts';
import { moveStatus } from './status-moves.ts';
import type { Disagreement, Moved } from './tally.ts';
import { wakeWithWork } from './wake-with-work.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const addTemplates = load('add-templates');
const addRunDomains = load('add-run-domains');
const addProxies = load('add-proxies');
const addProxyUsage = load('add-proxy-usage');
const addParseHours = load('add-parse-hours');
const moveEvents = load('move-events');
const addFacts = load('add-facts');
const writeStates = load('write-states');
const deleteDomains = load('delete-domains');
const renameDomains = load('rename-domains');

export interface Merging {
  readonly merged: number;
  readonly renamed: number;
  readonly moved: Partial<Moved>;
  readonly corrected: readonly Disagreement[];
  readonly skipped: readonly { readonly id: number; readonly domain: string }[];
}

interface Group {
  readonly name: string;
  readonly keeper: LockedRow;
  readonly others: readonly LockedRow[];
}

const MOST_ATTEMPTS = 5;

export async function mergeDomains(
  db: Database,
  renamings: readonly Renaming[],
  logSince: string | null,
): Promise<Merging> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(db, (tx) => mergeWithin(tx, renamings, logSince));
    } catch (error) {
      // A worker has just added the name a domain was to get: the next look finds it, and merges the two.
      if (errorCode(error) !== UNIQUE_VIOLATION || attempt >= MOST_ATTEMPTS) throw error;
    }
  }
}

const UNIQUE_VIOLATION = '23505';

async function mergeWithin(
  tx: Transaction,
  renamings: readonly Renaming[],
  logSince: string | null,
): Promise<Merging> {
  const rows = await lockRows(
    tx,
    renamings.map(({ id }) => id),
    renamings.map(({ canonical }) => canonical),
  );
  const { groups, skipped } = groupByName(rows);
  const pairs = groups.flatMap(({ keeper, others }) =>
    others.map(({ id }) => ({ fromId: id, toId: keeper.id })),
  );
  const moved = pairs.length === 0 ? {} : await mergeRows(tx, pairs);
  const joined = groups.filter(({ others }) => others.length > 0);
  await mergeAllStates(tx, joined);
  await tx.query(deleteDomains, [pairs.map(({ fromId }) => fromId)]);
  const renamed = groups.filter(({ keeper, name }) => keeper.domain !== name);
  await rename(tx, renamed);
  const keepers = joined.map(({ keeper }) => keeper.id);
  await wakeWithWork(tx, keepers);
  const corrected = await recountWithin(tx, keepers, logSince);
  return {
    corrected,
    merged: pairs.length,
    renamed: renamed.filter(({ others }) => others.length === 0).length,
    moved,
    skipped,
  };
}

/** By the name each row has now, which may not be the one it had when it was found. */
function groupByName(rows: readonly LockedRow[]): { groups: Group[]; skipped: LockedRow[] } {
  const byName = new Map<string, LockedRow[]>();
  for (const row of rows) {
    const name = canonicalDomain(row.domain);
    if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), row]);
  }
  const groups: Group[] = [];
  const skipped: LockedRow[] = [];
  for (const [name, members] of byName) {
    const [keeper, ...others] = members.toSorted(
      (a, b) => a.firstSeenAt.getTime() - b.firstSeenAt.getTime() || a.id - b.id,
    );
    if (members.some(({ isLeased }) => isLeased)) skipped.push(...members);
    else if (keeper !== undefined) groups.push({ name, keeper, others });
  }
  return { groups, skipped };
}

interface Pair {
  readonly fromId: number;
  readonly toId: number;
}

async function mergeRows(tx: Transaction, pairs: readonly Pair[]): Promise<Moved> {
  const values = [numberArray(pairs.map(({ fromId }) => fromId)), numberArray(pairs.map(({ toId }) => toId))];
  const sums = [addTemplates, addRunDomains, addFacts, addProxies, addProxyUsage, addParseHours];
  for (const statement of [moveEvents, ...sums]) await tx.query(statement, values);
  return moveRows(
    tx,
    pairs.map((pair) => ({ ...pair, host: undefined })),
  );
}

/** What changes state does so move by move; the reasons are written for all at once. */
async function mergeAllStates(tx: Transaction, groups: readonly Group[]): Promise<void> {
  const states: StateRow[] = [];
  for (const { keeper, others } of groups) {
    const merged = mergeStates(keeper, others);
    states.push(merged);
    if (merged.status === keeper.status) continue;
    await sayWhy(tx, `merged with ${others.map(({ domain }) => domain).join(', ')}`);
    await moveStatus(tx, keeper.id, keeper.status, merged.status, merged.statusCode);
  }
  if (states.length === 0) return;
  await tx.query(writeStates, [
    states.map(({ id }) => id),
    textArray(states.map(({ statusCode }) => statusCode)),
    textArray(states.map(({ blockReason }) => blockReason)),
    textArray(states.map(({ blockReasonCode }) => blockReasonCode)),
    textArray(states.map(({ nextCrawlAfter }) => nextCrawlAfter)),
  ]);
}

async function rename(tx: Transaction, groups: readonly Group[]): Promise<void> {
  if (groups.length === 0) return;
  await tx.query(renameDomains, [
    groups.map(({ keeper }) => keeper.id),
    textArray(groups.map(({ name }) => name)),
    textArray(groups.map(({ name }) => registrableDomain(name))),
    textArray(groups.map(({ keeper, name }) => baseUrlOf(keeper.baseUrl, name))),
  ]);
}

/** Where the site was found says which scheme and spelling it answers to; kept if it is the same site. */
function baseUrlOf(baseUrl: string, name: string): string {
  return URL.canParse(baseUrl) && canonicalDomain(new URL(baseUrl)) === name ? baseUrl : `https://${name}`;
}
