/** Bots over HTTP: pulling work, handing it in, keeping it for longer. */
import * as contract from '../../contract/bots.ts';
import { expectBot } from '../../control/bots/bot-of-key.ts';
import { BotQuota } from '../../control/bots/bot-quota.ts';
import { extendLock } from '../../control/bots/extend-lock.ts';
import { InvalidField } from '../../control/bots/invalid-field.ts';
import { giveBackJobs } from '../../control/bots/release-locks.ts';
import { submitResult } from '../../control/bots/submit-result.ts';
import { ForagerError } from '../../platform/errors.ts';
import { Refusal } from '../refusal.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

export function botsRoutes(parts: ServerParts): Route[] {
  const { db, htmlKeeper, botDesk } = parts;
  return [
    route(contract.pullJobs, ({ body, principal, reply }) =>
      refusing(async () => {
        const bot = expectBot(principal.bot, body.bot_id);
        const { keyId = 0 } = principal;
        const client = new AbortController();
        reply.raw.once('close', () => client.abort());
        const wanted = { maxJobs: body.max_jobs, domain: body.domain };
        const wait = { waitSeconds: body.wait_seconds, signal: client.signal, keyId };
        const { jobs, skipped, retryAfterSeconds } = await botDesk.pull(bot, wanted, wait);
        if (client.signal.aborted && jobs.length > 0) {
          await giveBackJobs(db, bot.botId, jobs);
        }
        if (retryAfterSeconds !== null) reply.header('retry-after', String(retryAfterSeconds));
        const data = { jobs, count: jobs.length, skipped, retry_after_seconds: retryAfterSeconds };
        return { success: true, data };
      }),
    ),
    route(contract.submitResult, ({ body, principal }) =>
      refusing(async () => {
        const bot = expectBot(principal.bot, body.bot_id);
        return { success: true, data: await submitResult({ db, htmlKeeper }, bot, body) };
      }),
    ),
    route(contract.extendLock, ({ body, principal }) =>
      refusing(async () => {
        const bot = expectBot(principal.bot, body.bot_id);
        return { success: true, data: await extendLock(db, bot, body, body.extend_seconds) };
      }),
    ),
  ];
}

/** What a refusal says besides its sentence: when to come again, which field is wrong. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BotQuota) {
      throw new Refusal('bot-quota', error.message, {
        ...(error.hint === undefined ? {} : { hint: error.hint }),
        headers: { 'retry-after': String(error.retryAfterSeconds) },
      });
    }
    if (error instanceof ForagerError && error.code === 'too-many-at-once') {
      throw new Refusal('too-many-at-once', error.message, { headers: { 'retry-after': '1' } });
    }
    if (error instanceof InvalidField) {
      const errors = [{ path: error.path, message: error.problem }];
      throw new Refusal('invalid', error.message, { errors });
    }
    throw error;
  }
}
