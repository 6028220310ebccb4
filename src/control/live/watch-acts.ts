/** What people do to the crawl: domains switched on and off, settings, seeds, jobs. Never what they do to accounts. */
import type { LiveEvent } from '../../contract/live.ts';
import { type Database, prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { NumberedTail } from './numbered-tail.ts';
import type { Watch } from './watch.ts';

const statements = {
  readRows: prepared('read-acts', loadSql(import.meta.url, './read-acts.sql')),
  readLastNumbers: prepared('read-last-acts', loadSql(import.meta.url, './read-last-acts.sql')),
};

interface Act {
  readonly id: number;
  readonly at: Date;
  readonly actor: string;
  readonly target: string | null;
  /** Null: it is none to be told. */
  readonly action: string | null;
}

export function watchActs(db: Database): Watch {
  const tail = new NumberedTail<Act>(db, statements);
  return {
    begin: () => tail.begin(),
    beginAgainIfReplaced: () => tail.beginAgainIfReplaced(),
    look: async () => (await tail.read()).rows.flatMap(({ row }) => toEvents(row)),
  };
}

function toEvents({ id, at, actor, target, action }: Act): LiveEvent[] {
  return action === null ? [] : [{ type: 'act', id, at: at.toISOString(), action, target, actor }];
}
