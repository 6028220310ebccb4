/** Bots as people keep them: registered with a key of their own, bounded, watched. */
import type { z } from 'zod';
import type { botHour, bot as botShape, heldJob } from '../../contract/bot-admin.ts';
import { canonicalDomain } from '../../engine/frontier/canonical-domain.ts';
import type { Database, Queryable } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { hideUserinfo } from '../../platform/redact-url.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { guardPower } from '../access/guard-power.ts';
import { guardExpiry, insertKey, type KeyLine } from '../access/keys.ts';
import { botRevoked } from './bot-of-key.ts';
import { toJobId } from './job-id.ts';

const listBotsSql = loadSql(import.meta.url, './list-bots.sql');
const readBotSql = loadSql(import.meta.url, './read-bot.sql');
const readHoursSql = loadSql(import.meta.url, './read-bot-hours.sql');
const insertBotSql = loadSql(import.meta.url, './insert-bot.sql');
const changeBotSql = loadSql(import.meta.url, './change-bot.sql');
const lockBotSql = loadSql(import.meta.url, './lock-bot.sql');
const revokeKeysSql = loadSql(import.meta.url, './revoke-bot-keys.sql');
const listHeldSql = loadSql(import.meta.url, './list-held-jobs.sql');

const HOUR_MS = 3_600_000;

/** Rows carry Date objects where the contract has text. */
type Dated<T, Names extends keyof T> = Omit<T, Names> & { readonly [Name in Names]: Date | (null & T[Name]) };

type Times = 'revokedAt' | 'lastPullAt' | 'lastSubmitAt' | 'createdAt' | 'updatedAt';
export type Bot = Dated<z.infer<typeof botShape>, Times>;
export type BotRow = Bot & { readonly id: number };
export type BotHour = Dated<z.infer<typeof botHour>, 'hour'>;
export type HeldLine = Dated<z.infer<typeof heldJob>, 'lockedAt' | 'lockedUntil'>;

export interface BotDetails extends Bot {
  readonly pullsPerHour: number;
  readonly hours: readonly BotHour[];
}

export interface BotWithKey {
  readonly bot: Bot;
  readonly key: KeyLine;
  /** Seen this once. */
  readonly token: string;
}

export async function listBots(
  db: Database,
  isRevoked: boolean | undefined,
  below: number | undefined,
  limit: number,
): Promise<BotRow[]> {
  return (await db.query<BotRow>(listBotsSql, [below ?? null, isRevoked ?? null, limit])).rows;
}

export async function readBot(db: Queryable, botId: string): Promise<Bot> {
  const { id: _id, ...bot } = await readBotRow(db, botId);
  return bot;
}

export async function readBotDetails(db: Queryable, botId: string): Promise<BotDetails> {
  const { id, ...bot } = await readBotRow(db, botId);
  const hours = (await db.query<BotHour>(readHoursSql, [id])).rows;
  const pulls = hours.reduce((sum, { pullsCount }) => sum + pullsCount, 0);
  // One that is younger than the hours below has not been there in all of them.
  const lived = hours.filter(({ hour }) => hour.getTime() + HOUR_MS > bot.createdAt.getTime());
  return { ...bot, pullsPerHour: Math.round((pulls / Math.max(1, lived.length)) * 100) / 100, hours };
}

async function readBotRow(db: Queryable, botId: string): Promise<BotRow> {
  const [row] = (await db.query<BotRow>(readBotSql, [botId])).rows;
  if (row === undefined) throw unknownBot(botId);
  return row;
}

export interface WantedBot {
  readonly botId: string;
  readonly description?: string | undefined;
  readonly domains?: readonly string[] | null | undefined;
  readonly maxLocks?: number | undefined;
  readonly maxJobsPerHour?: number | null | undefined;
  readonly keyExpiresAt?: Date | undefined;
}

const USUAL_LOCKS = 100;

export async function createBot(db: Database, wanted: WantedBot, actor: Actor): Promise<BotWithKey> {
  guardPower(actor, 'bot');
  guardExpiry(wanted.keyExpiresAt);
  const { botId, description = null, maxLocks = USUAL_LOCKS, maxJobsPerHour = null } = wanted;
  const domains = readDomains(wanted.domains ?? null);
  return inTransaction(db, async (tx) => {
    const values = [botId, description, domains, maxLocks, maxJobsPerHour, actor.name];
    const [made] = (await tx.query<{ id: number }>(insertBotSql, values)).rows;
    if (made === undefined) {
      throw new ForagerError('bot-exists', `There is, or was, a bot named ${botId}.`, {
        hint: 'take another name; "forager bot list" lists them',
      });
    }
    await recordAct(tx, actor, 'bot.create', botId, { domains, maxLocks, maxJobsPerHour });
    const key = await insertKey(tx, keyFor(made.id, botId, wanted.keyExpiresAt), actor);
    return { bot: await readBot(tx, botId), ...key };
  });
}

export interface BotChanges {
  readonly description?: string | null | undefined;
  readonly domains?: readonly string[] | null | undefined;
  readonly maxLocks?: number | undefined;
  readonly maxJobsPerHour?: number | null | undefined;
}

export async function changeBot(db: Database, botId: string, given: BotChanges, actor: Actor): Promise<Bot> {
  guardPower(actor, 'bot');
  const { domains } = given;
  const changes = domains === undefined ? given : { ...given, domains: readDomains(domains) };
  return inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(changeBotSql, [botId, JSON.stringify(changes)]);
    if (rowCount === 0) throw unknownBot(botId);
    await recordAct(tx, actor, 'bot.change', botId, { ...changes });
    return readBot(tx, botId);
  });
}

export interface Rotation {
  /** The keys it has go on working. */
  readonly keepsOthers: boolean;
  readonly keyExpiresAt?: Date | undefined;
}

export async function rotateBotKey(
  db: Database,
  botId: string,
  { keepsOthers, keyExpiresAt }: Rotation,
  actor: Actor,
): Promise<BotWithKey> {
  guardPower(actor, 'bot');
  guardExpiry(keyExpiresAt);
  return inTransaction(db, async (tx) => {
    const [bot] = (await tx.query<{ id: number; isRevoked: boolean }>(lockBotSql, [botId])).rows;
    if (bot === undefined) throw unknownBot(botId);
    if (bot.isRevoked) throw botRevoked();
    const { rowCount } = keepsOthers ? { rowCount: 0 } : await tx.query(revokeKeysSql, [bot.id]);
    await recordAct(tx, actor, 'bot.rotate-key', botId, { keepsOthers, endedKeys: rowCount });
    const key = await insertKey(tx, keyFor(bot.id, botId, keyExpiresAt), actor);
    return { bot: await readBot(tx, botId), ...key };
  });
}

export async function listHeldJobs(
  db: Database,
  botId: string,
  after: number | undefined,
  limit: number,
): Promise<HeldLine[]> {
  await readBotRow(db, botId);
  const { rows } = await db.query<Omit<HeldLine, 'jobId'>>(listHeldSql, [botId, after ?? null, limit]);
  return rows.map((row) => ({ jobId: toJobId(row.taskId), ...row }));
}

export function unknownBot(botId: string): ForagerError {
  return new ForagerError('unknown-bot', `There is no bot named ${botId}.`, {
    hint: '"forager bot list" lists them',
  });
}

function keyFor(botRowId: number, name: string, expiresAt: Date | undefined) {
  const scopes = ['work'] as const;
  return { name, botRowId, expiresAt, scopes, userId: null, username: null, role: 'bot' } as const;
}

function readDomains(names: readonly string[] | null): string[] | null {
  if (names === null) return null;
  const domains = names.map((name) => {
    // An address is more than a domain: whoever gives one may believe that its path counts.
    const domain = /[/\\?#@]/.test(name) ? undefined : canonicalDomain(name.trim());
    if (domain !== undefined) return domain;
    const shown = hideUserinfo(name).slice(0, 200);
    throw new ForagerError('bad-domain', `"${shown}" is not the name of a domain.`, {
      hint: 'give one such as example.com',
    });
  });
  return [...new Set(domains)].sort();
}
