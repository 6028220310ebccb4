/**
 * Keys under which a request is done once. A key is taken in a transaction of its own, before the request is worked
 * on: of two requests with one key, on whatever servers, one gets it. A server that dies in between leaves it locked
 * for a minute; after that the same request may be tried again.
 */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const takeStatement = load('take-key');
const findStatement = load('find-key');
const storeStatement = load('store-answer');
const freeStatement = load('free-key');

const LOCK_MS = 60_000;

export interface IdempotencyKey {
  /** Keys of one account are nobody else's. */
  readonly owner: string;
  readonly key: string;
  /** Of the request: method, path and body. */
  readonly fingerprint: Buffer;
}

export interface StoredAnswer {
  readonly status: number;
  /** Null: an answer without one. */
  readonly body: string | null;
  readonly location: string | null;
}

export type TakenKey =
  /** The request is to be done; `lock` is needed to say what came of it. */
  | { readonly kind: 'taken'; readonly lock: string }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'busy' }
  | { readonly kind: 'other-request' };

export async function takeKey(db: Database, { owner, key, fingerprint }: IdempotencyKey): Promise<TakenKey> {
  return inTransaction(db, async (tx) => {
    const taken = await tx.query<{ lock: string }>(takeStatement, [owner, key, fingerprint, LOCK_MS]);
    const [own] = taken.rows;
    if (own !== undefined) return { kind: 'taken', lock: own.lock };
    const [row] = (
      await tx.query<{
        fingerprint: Buffer;
        status: number | null;
        body: string | null;
        location: string | null;
      }>(findStatement, [owner, key])
    ).rows;
    // Freed in this very moment: whoever had it is done, and asking again gets it.
    if (row === undefined) return { kind: 'busy' };
    if (!row.fingerprint.equals(fingerprint)) return { kind: 'other-request' };
    if (row.status === null) return { kind: 'busy' };
    return { kind: 'answered', answer: { status: row.status, body: row.body, location: row.location } };
  });
}

export async function storeAnswer(
  db: Database,
  { owner, key }: IdempotencyKey,
  lock: string,
  { status, body, location }: StoredAnswer,
): Promise<void> {
  await inTransaction(db, (tx) => tx.query(storeStatement, [owner, key, lock, status, body, location]));
}

export async function freeKey(db: Database, { owner, key }: IdempotencyKey, lock: string): Promise<void> {
  await inTransaction(db, (tx) => tx.query(freeStatement, [owner, key, lock]));
}
