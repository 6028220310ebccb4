/**
 * A domain that loses its last way through a proxy is crawled in another one: nobody may find that out from the log of
 * a site. Whoever takes it away must say that it is meant.
 */
import { ForagerError } from '../../platform/errors.ts';
import { numberArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';

const findEmptied = loadSql(import.meta.url, './find-emptied.sql');
const findUnshared = loadSql(import.meta.url, './find-unshared.sql');
const lockSharingSql = loadSql(import.meta.url, './lock-sharing.sql');

/** `domainId` undefined: of all pools that it is in. */
export async function refuseToEmpty(
  tx: Transaction,
  proxyId: number,
  domainId: number | undefined,
): Promise<void> {
  const { rows } = await tx.query<{ domain: string }>(findEmptied, [proxyId, domainId ?? null]);
  refuse(
    rows,
    (names, they) =>
      `Proxy ${proxyId} is the last one of ${names}: without it ${they} crawled through the shared proxies, or ` +
      'directly.',
    'assign another one first',
  );
}

/** To be held by whoever takes a shared proxy away, before any proxy is locked: of the last two, one is the last. */
export async function lockSharing(tx: Transaction): Promise<void> {
  await tx.query(lockSharingSql);
}

/** These are about to be no longer for everybody. */
export async function refuseToUnshare(tx: Transaction, proxyIds: readonly number[]): Promise<void> {
  const { rows } = await tx.query<{ domain: string }>(findUnshared, [numberArray(proxyIds)]);
  refuse(
    rows,
    (names, they) => `It is the last shared proxy: without it ${names} ${they} crawled directly.`,
    'add another one first',
  );
}

function refuse(
  found: readonly { readonly domain: string }[],
  describe: (names: string, they: string) => string,
  instead: string,
): void {
  const [first] = found;
  if (first === undefined) return;
  const names = found.slice(0, 3).map(({ domain }) => domain);
  const others = found.length > names.length ? ' and others' : '';
  const sentence = describe(names.join(', ') + others, found.length === 1 ? 'is' : 'are');
  throw new ForagerError('not-confirmed', sentence, {
    hint:
      `${instead}, let it wait for one ("forager domain set ${first.domain} --proxy-mode required"), or say that it ` +
      'is meant: --yes',
  });
}
