/** When a session or key was last used, to the minute: written beside the request, which neither waits nor fails. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';

const STATEMENTS = {
  session: loadSql(import.meta.url, './touch-session.sql'),
  key: loadSql(import.meta.url, './touch-key.sql'),
} as const;

const underWay = new WeakMap<Database, Set<string>>();

/** Of many requests at once one writes. */
export function noteUse(db: Database, kind: keyof typeof STATEMENTS, id: number): void {
  const notes = underWay.get(db) ?? new Set();
  underWay.set(db, notes);
  const note = `${kind} ${id}`;
  if (notes.has(note)) return;
  notes.add(note);
  inTransaction(db, (tx) => tx.query(STATEMENTS[kind], [id]))
    .catch(() => undefined)
    .finally(() => notes.delete(note));
}
