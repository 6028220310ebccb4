/** The bot that a key belongs to, and what is true of it wherever it turns up. */
import { ForagerError } from '../../platform/errors.ts';

export interface BotOfKey {
  readonly id: number;
  /** The name it is registered under. */
  readonly botId: string;
  /** Only jobs of these domains and their subdomains; null: of all. */
  readonly domains: readonly string[] | null;
}

/** Says nothing about other bots: not even whether there is one of the name that was given. */
export function expectBot(bot: BotOfKey | undefined, botId: string): BotOfKey {
  if (bot === undefined) {
    throw new ForagerError('wrong-bot', 'The key is that of no bot that is registered.', {
      hint: '"forager bot add" registers one and prints its key',
    });
  }
  if (bot.botId !== botId) {
    throw new ForagerError('wrong-bot', 'bot_id is not the name of the bot whose key was sent.', {
      hint: 'send the bot_id the key was made for',
    });
  }
  return bot;
}

export function botRevoked(): ForagerError {
  return new ForagerError(
    'bot-revoked',
    'The bot was revoked: its jobs went back, and its keys have ended.',
    {
      hint: 'ask whoever runs the server',
    },
  );
}

/** Of a key that has ended since its bot began to wait. */
export function keyIsOver(): ForagerError {
  return new ForagerError('bad-key', 'The key was revoked, or has ended, while the bot waited for jobs.', {
    hint: 'use the new key of the bot, or ask whoever runs the server',
  });
}

/** A domain that is listed covers its subdomains. */
export function mayWorkOn({ domains }: Pick<BotOfKey, 'domains'>, domain: string): boolean {
  return domains === null || domains.some((name) => domain === name || domain.endsWith(`.${name}`));
}
