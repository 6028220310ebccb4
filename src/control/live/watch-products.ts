/** Products that are found to be others than they were. */
import type { LiveEvent } from '../../contract/live.ts';
import { type Database, prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { NumberedTail } from './numbered-tail.ts';
import type { Watch } from './watch.ts';

const statements = {
  readRows: prepared('read-product-changes', loadSql(import.meta.url, './read-product-changes.sql')),
  readLastNumbers: prepared(
    'read-last-product-changes',
    loadSql(import.meta.url, './read-last-product-changes.sql'),
  ),
};

type ProductEvent = Extract<LiveEvent, { type: 'product' }>;

interface Change extends Omit<ProductEvent, 'type' | 'at'> {
  readonly at: Date;
}

export function watchProducts(db: Database): Watch {
  const tail = new NumberedTail<Change>(db, statements);
  return {
    begin: () => tail.begin(),
    beginAgainIfReplaced: () => tail.beginAgainIfReplaced(),
    look: async () =>
      (await tail.read()).rows.map(({ row }) => ({ type: 'product', ...row, at: row.at.toISOString() })),
  };
}
