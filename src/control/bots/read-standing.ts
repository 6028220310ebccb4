/** What is true of a bot now: it may have waited since its key was looked at. */
import { type Database, prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { type BotOfKey, botRevoked, keyIsOver } from './bot-of-key.ts';

const readStandingSql = prepared('read-bot-standing', loadSql(import.meta.url, './read-standing.sql'));

type Standing = BotOfKey & { readonly isRevoked: boolean; readonly isKeyOver: boolean };

/** Throws where it gets nothing any more. */
export async function readStanding(db: Database, keyId: number): Promise<BotOfKey> {
  const [row] = (await db.query<Standing>(readStandingSql, [keyId])).rows;
  if (row?.isRevoked) throw botRevoked();
  if (row === undefined || row.isKeyOver) throw keyIsOver();
  return { id: row.id, botId: row.botId, domains: row.domains };
}
