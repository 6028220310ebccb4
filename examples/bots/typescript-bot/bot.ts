/**
 * A bot that reads prices: it pulls jobs from Forager, fetches each page, finds the product's price in it and hands it
 * in. It works until it is told to stop (Ctrl-C, SIGTERM), then finishes what it has.
 *
 *   FORAGER_URL=http://127.0.0.1:3001 FORAGER_BOT_ID=bot-001 FORAGER_BOT_KEY=fgr_… node dist/bot.js
 */

import { lookup } from 'node:dns';
import { get as getOverHttp, type IncomingMessage } from 'node:http';
import { get as getOverHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { BotClient, type BotJob, type JobResult } from 'forager/bot';

const { FORAGER_URL = 'http://127.0.0.1:3001', FORAGER_BOT_ID = '', FORAGER_BOT_KEY = '' } = process.env;
const USER_AGENT = 'example-price-bot/1.0 (+https://example.com/bot)';
const MOST_BYTES = 8_000_000;

/** Names that end in .localhost are this machine; not every resolver knows that. */
const lookupAlsoLocal: LookupFunction = (name, options, callback) =>
  lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, options, callback);

const bot = new BotClient({ baseUrl: FORAGER_URL, botId: FORAGER_BOT_ID, apiKey: FORAGER_BOT_KEY });
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());

const summary = await bot.work(readPrice, {
  concurrency: 4,
  signal: stop.signal,
  onError: (error, job) => console.error(`${job?.url ?? FORAGER_URL}: ${String(error)}`),
});
console.log(JSON.stringify(summary));

async function readPrice(job: BotJob, { signal }: { signal: AbortSignal }): Promise<JobResult> {
  const startedAt = Date.now();
  const { status, html } = await getPage(job, signal);
  // Whatever is thrown is handed in as a failure, and the job is tried again.
  if (status !== 200) throw new Error(`the page answered ${status}`);
  const product = findInJsonLd(html) ?? findInMicrodata(html);
  if (product === undefined) throw new Error('there is no price on the page');
  const facts = { http_status: status, response_time_ms: Date.now() - startedAt };
  return { ...product, ...facts, raw_html: html };
}

type Found = Pick<JobResult, 'price' | 'currency' | 'title' | 'in_stock'>;

interface Node {
  '@type'?: string;
  name?: string;
  offers?: { price: string | number; priceCurrency: string; availability?: string };
}

/** schema.org in a script: one object, or several in a graph. */
function findInJsonLd(html: string): Found | undefined {
  for (const [, json = ''] of html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)) {
    const data = JSON.parse(json) as Node & { '@graph'?: Node[] };
    const product = (data['@graph'] ?? [data]).find((node) => node['@type'] === 'Product');
    if (product?.offers === undefined) continue;
    const { price, priceCurrency, availability = '' } = product.offers;
    return {
      // Text is exact to the last digit.
      price: String(price),
      currency: priceCurrency,
      title: product.name,
      in_stock: availability.endsWith('/InStock'),
    };
  }
  return undefined;
}

/** schema.org woven into the page. */
function findInMicrodata(html: string): Found | undefined {
  const read = (pattern: RegExp): string | undefined => pattern.exec(html)?.[1];
  const price = read(/itemprop="price" content="([\d.]+)"/);
  const currency = read(/itemprop="priceCurrency" content="([A-Z]{3})"/);
  if (price === undefined || currency === undefined) return undefined;
  const availability = read(/itemprop="availability" href="([^"]+)"/) ?? '';
  const title = read(/itemprop="name">([^<]+)</);
  return { price, currency, title, in_stock: availability.endsWith('/InStock') };
}

async function getPage(job: BotJob, signal: AbortSignal): Promise<{ status: number; html: string }> {
  const get = job.url.startsWith('https:') ? getOverHttps : getOverHttp;
  const headers = { 'user-agent': job.user_agent ?? USER_AGENT };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const limits = { signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]) };
    get(job.url, { headers, lookup: lookupAlsoLocal, ...limits }, resolve).once('error', reject);
  });
  let html = '';
  for await (const chunk of response.setEncoding('utf8')) {
    html += chunk;
    if (html.length > MOST_BYTES) throw new Error('the page is too large');
  }
  return { status: response.statusCode ?? 0, html };
}
