/** Whoever acts, and the record of what they did: written in the transaction of the act itself, or not at all. */
import type { Scope } from '../../contract/access.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';

const recordActSql = loadSql(import.meta.url, './record-act.sql');

export interface Actor {
  /** `user:anna`, `user:anna (key 7)`, `cli:root`. */
  readonly name: string;
  /** Where the request came from; undefined for the command line. */
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  /** What the session or key may do that the request came with; undefined: whoever has the machine may do everything. */
  readonly scopes?: readonly Scope[] | undefined;
}

/** `action` is what was done (`domain.reset`), `target` what it was done to. Secrets have no place in the details. */
export async function recordAct(
  tx: Transaction,
  actor: Actor,
  action: string,
  target: string | undefined,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await tx.query(recordActSql, [
    ...[actor.name, action, target ?? null, JSON.stringify(details)],
    ...[actor.address ?? null, actor.requestId ?? null],
  ]);
}
