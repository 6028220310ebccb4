/** What `forager bot …` does, and what it says about it. */
import type { Command } from 'commander';
import { createBot as createContract } from '../contract/bot-admin.ts';
import * as bots from '../control/bots/bots.ts';
import { revokeBot } from '../control/bots/release-locks.ts';
import { now } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { printBot, printBots } from './bot-lines.ts';
import { cliActor } from './cli-actor.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { parseOptions } from './explain-option.ts';

const PAGE_ROWS = 200;
const MOST_JOBS_SHOWN = 20;

interface AddOptions {
  readonly description?: string;
  readonly domain: readonly string[];
  readonly maxLocks?: number;
  readonly maxJobsPerHour?: number;
  /** Seconds. */
  readonly expires?: number;
}

const OPTION_OF = {
  botId: { name: 'name of the bot' },
  description: { name: '--description' },
  domains: { name: '--domain' },
  maxLocks: { name: '--max-locks' },
  maxJobsPerHour: { name: '--max-jobs-per-hour' },
};

export async function addBot(botId: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const { description, domain, maxLocks, maxJobsPerHour, expires } = command.optsWithGlobals<AddOptions>();
  const domains = domain.length === 0 ? undefined : domain;
  const wanted = parseOptions(
    createContract.body,
    { botId, description, domains, maxLocks, maxJobsPerHour },
    OPTION_OF,
  );
  const made = await withDatabase(context.config, (db) =>
    bots.createBot(db, { ...wanted, keyExpiresAt: endOf(expires) }, cliActor()),
  );
  tellKey(context, made, `The bot ${botId} is registered. Its key:`);
}

export async function renewKey(botId: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const { keep, expires } = command.optsWithGlobals<{ readonly keep?: true; readonly expires?: number }>();
  const rotation = { keepsOthers: keep === true, keyExpiresAt: endOf(expires) };
  const made = await withDatabase(context.config, (db) => bots.rotateBotKey(db, botId, rotation, cliActor()));
  const before = keep === true ? 'those before go on working' : 'those before are refused';
  tellKey(context, made, `The bot ${made.bot.botId} has a new key; ${before}:`);
}

function endOf(seconds: number | undefined): Date | undefined {
  return seconds === undefined ? undefined : new Date(now().getTime() + seconds * 1000);
}

function tellKey(context: CommandContext, { bot, key, token }: bots.BotWithKey, sentence: string): void {
  if (context.isJson) {
    context.printJson({ ...bot, keyId: key.id, token });
    return;
  }
  context.printLine(sentence);
  context.printLine(context.out.style.bold(token));
  context.printLine(
    `It is shown this once. The bot sends it as "Authorization: Bearer …", and "bot_id": "${bot.botId}" with it.`,
  );
}

export async function endBot(botId: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const { bot, releasedCount } = await withDatabase(context.config, (db) => revokeBot(db, botId, cliActor()));
  if (context.isJson) context.printJson({ ...bot, releasedCount });
  else {
    const jobs = releasedCount === 1 ? '1 job it held is' : `${releasedCount} jobs it held are`;
    const released = releasedCount === 0 ? 'It held no jobs.' : `The ${jobs} free again.`;
    context.printLine(`The bot ${bot.botId} is revoked. ${released}`);
  }
}

export async function showBots(command: Command): Promise<void> {
  const context = makeContext(command);
  const { all } = command.optsWithGlobals<{ readonly all?: true }>();
  const found = await withDatabase(context.config, (db) => readAllBots(db, all ? undefined : false));
  if (context.isJson) {
    for (const { id: _id, ...bot } of found) context.printJson(bot);
    return;
  }
  if (found.length === 0)
    context.printLine(`There are no bots. "${context.suggest('bot add NAME')}" registers one.`);
  else printBots(context, found);
}

async function readAllBots(db: Database, isRevoked: boolean | undefined): Promise<bots.BotRow[]> {
  const found: bots.BotRow[] = [];
  for (;;) {
    const page = await bots.listBots(db, isRevoked, found.at(-1)?.id, PAGE_ROWS);
    found.push(...page);
    if (page.length < PAGE_ROWS) return found;
  }
}

export async function showBot(botId: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const { bot, jobs } = await withDatabase(context.config, async (db) => ({
    bot: await bots.readBotDetails(db, botId),
    jobs: await bots.listHeldJobs(db, botId, undefined, MOST_JOBS_SHOWN),
  }));
  if (context.isJson) context.printJson({ ...bot, jobs });
  else printBot(context, bot, jobs);
}
