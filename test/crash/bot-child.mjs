/** A bot as a process of its own, with the built client, to be killed at any moment. */
import { setTimeout as waitMs } from 'node:timers/promises';
import { BotClient } from '../../dist/bot/index.js';

const { BASE_URL, BOT_ID, BOT_KEY } = process.env;
const bot = new BotClient({ baseUrl: BASE_URL, botId: BOT_ID, apiKey: BOT_KEY });
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

const summary = await bot.work(
  async (job) => {
    await waitMs(Math.random() * 60);
    if (job.url.includes('/broken/') || Math.random() < 0.02) throw new Error('it did not work');
    // The price tells under which lock it was found.
    return { price: `${job.lock_token}.5`, currency: 'EUR' };
  },
  { concurrency: 4, waitSeconds: 1, signal: stop.signal, onError: () => undefined },
);
console.log(JSON.stringify(summary));
