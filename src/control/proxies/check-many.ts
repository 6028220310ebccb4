/** Checks of many proxies, a few at a time. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Actor } from '../access/actor.ts';
import { type CheckTools, checkProxy, type ProxyCheck } from './check-proxy.ts';

const listIds = loadSql(import.meta.url, './list-ids.sql');
const PORTION = 1000;

/** Numbers of all proxies, or of those that are active. */
export async function* allProxyIds(db: Database, isActiveOnly: boolean): AsyncGenerator<number> {
  let last = 0;
  for (;;) {
    const { rows } = await db.query<{ id: number }>(listIds, [last, PORTION, isActiveOnly]);
    for (const { id } of rows) yield id;
    if (rows.length < PORTION) return;
    last = rows.at(-1)?.id ?? last;
  }
}

export interface ManyChecks {
  readonly url: string | undefined;
  readonly concurrency: number;
  readonly tools: CheckTools;
  readonly actor: Actor;
  readonly signal: AbortSignal;
  onChecked(check: ProxyCheck): void;
}

/** Ends with the first error that is none of a proxy; what was called off counts for nothing. */
export async function checkMany(
  db: Database,
  ids: AsyncIterator<number>,
  { url, concurrency, tools, actor, signal, onChecked }: ManyChecks,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  async function work(): Promise<void> {
    while (failure === undefined && !signal.aborted) {
      const { value: id, done } = await ids.next();
      if (done) return;
      const check = await checkProxy(db, id, url, tools, actor, signal);
      if (!signal.aborted) onChecked(check);
    }
  }
  const guarded = (): Promise<void> =>
    work().catch((error: unknown) => {
      failure ??= { error };
    });
  await Promise.all(Array.from({ length: concurrency }, guarded));
  if (failure !== undefined) throw failure.error;
}
