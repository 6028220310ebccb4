/** One whole crawl inside the test's own process: the real engine, database, fetcher and archive. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type RunSummary, readRunSummary } from '../../src/control/runs/run-summary.ts';
import type { CrawlSettings } from '../../src/engine/crawl-settings.ts';
import { type EngineEventMap, EngineEvents } from '../../src/engine/events.ts';
import type { ParserRegistry } from '../../src/engine/extract/registry.ts';
import type { Fetcher } from '../../src/engine/fetch/fetcher.ts';
import { makeScope, type ScopeKind } from '../../src/engine/frontier/scope.ts';
import { readSeed, type Seed } from '../../src/engine/frontier/seeds.ts';
import type { BlobStore } from '../../src/engine/images/blob-store.ts';
import { Crawl, type CrawlEnd } from '../../src/engine/run/crawl.ts';
import { createWarcStore } from '../../src/engine/store/warc-store.ts';
import type { Database } from '../../src/platform/database.ts';
import type { SecretBox } from '../../src/platform/secret-box.ts';
import { createTestFetcher } from '../origin/fetch-from.ts';

/** A crawl's defaults made small enough for tests; the delay is only there where a test asks for one. */
export const testSettings: CrawlSettings = {
  userAgent: 'ForagerBot/0.1 (+https://example.com/bot)',
  productToken: 'ForagerBot',
  delayMs: 0,
  maxConcurrentPerDomain: 4,
  maxInFlight: 64,
  requestTimeoutMs: 20_000,
  maxBodyBytes: 10_000_000,
  maxDepth: 10,
  maxRedirects: 5,
  maxRetries: 1,
  maxLinksPerPage: 1000,
  imagesMode: 'off',
  maxImageBytes: 15 * 1024 * 1024,
  maxImagesPerPage: 50,
  maxCrawlDelayMs: 60_000,
  maxHoldMs: 600_000,
  leaseMs: 60_000,
  maxDomains: 500,
  batchPages: 20,
  batchMs: 20,
  respectRobots: true,
  readSitemaps: false,
  stripTrailingSlash: false,
  isClaimedByScore: false,
  isBudgetFair: true,
  isDomainTracked: true,
  refresh: {
    isOn: true,
    firstSeconds: 14 * 86_400,
    floorSeconds: 86_400,
    ceilingSeconds: 90 * 86_400,
    goneAfterMisses: 3,
  },
};

export interface CrawlOrder {
  readonly db: Database;
  readonly seeds: readonly string[];
  readonly scope?: ScopeKind;
  readonly include?: readonly RegExp[];
  readonly exclude?: readonly RegExp[];
  readonly maxPages?: number;
  readonly maxPagesPerDomain?: number;
  readonly settings?: Partial<CrawlSettings>;
  /** Pages are looked at for products, by these. */
  readonly parsers?: ParserRegistry;
  /** Somebody else's fetcher: not closed here. */
  readonly fetcher?: Fetcher;
  /** What passwords of proxies are opened with. */
  readonly openSecrets?: () => Promise<SecretBox>;
  /** Where bodies are kept; nowhere when left out. */
  readonly warcDirectory?: string;
  /** Where images are kept; without it none are asked for. */
  readonly blobs?: BlobStore;
  /** Called before the crawl runs: to listen, or to stop it at some point. */
  readonly prepare?: (crawl: Crawl, events: EngineEvents) => void;
}

export type RecordedEvent = {
  [E in keyof EngineEventMap]: { readonly name: E; readonly event: EngineEventMap[E] };
}[keyof EngineEventMap];

export interface CrawlReport {
  readonly end: CrawlEnd;
  readonly summary: RunSummary;
  readonly events: readonly RecordedEvent[];
}

export async function runTestCrawl(order: CrawlOrder): Promise<CrawlReport> {
  const settings = { ...testSettings, ...order.settings };
  const seeds = order.seeds.map((text) => toSeed(text, settings.stripTrailingSlash));
  const events = new EngineEvents();
  const recorded = recordEvents(events);
  const fetcher =
    order.fetcher ?? createTestFetcher({ maxConnectionsPerOrigin: settings.maxConcurrentPerDomain });
  const store =
    order.warcDirectory === undefined
      ? undefined
      : await createWarcStore({
          directory: order.warcDirectory,
          writerId: `test${Math.random().toString(36).slice(2, 10)}`,
          software: 'Forager/test',
          thread: false,
        });
  const { scope = 'host', include = [], exclude = [] } = order;
  const crawl = new Crawl({
    ...{ db: order.db, settings, fetcher, store, events, seeds, openSecrets: order.openSecrets },
    parsers: order.parsers,
    blobs: order.blobs,
    scope: makeScope({
      ...{ scope, include, exclude, maxDepth: settings.maxDepth },
      seeds: [...new Set(seeds.map((seed) => seed.domain))],
    }),
    identity: {
      seeds: seeds.map((seed) => seed.key),
      scope,
      include: include.map(String),
      exclude: exclude.map(String),
    },
    limits: { maxPages: order.maxPages, maxPagesPerDomain: order.maxPagesPerDomain },
  });
  order.prepare?.(crawl, events);
  try {
    const end = await crawl.run();
    return { end, summary: await readRunSummary(order.db, end.runId), events: recorded };
  } finally {
    if (order.fetcher === undefined) await fetcher.close();
    await store?.close();
  }
}

export function toSeed(text: string, stripTrailingSlash = false): Seed {
  const reading = readSeed(text, stripTrailingSlash);
  if (reading.kind === 'bad') throw new Error(`${text} is no seed: ${reading.reason}`);
  return reading.seed;
}

const EVENT_NAMES = Object.keys({
  'worker:started': 0,
  'domain:claimed': 0,
  'domain:released': 0,
  'domains:handed-over': 0,
  'domains:resting': 0,
  'claim:lost': 0,
  'claim:waiting': 0,
  'robots:read': 0,
  'robots:delay-capped': 0,
  'sitemap:read': 0,
  'url:visited': 0,
  'batch:committed': 0,
  'tasks:dropped': 0,
  'tasks:left-to-parsers': 0,
  'tasks:parsed': 0,
  'parser:failed': 0,
  'sockets:short': 0,
  'proxy:sealed': 0,
  'database:lost': 0,
  'database:back': 0,
} satisfies Record<keyof EngineEventMap, 0>) as (keyof EngineEventMap)[];

export function recordEvents(events: EngineEvents): RecordedEvent[] {
  const recorded: RecordedEvent[] = [];
  for (const name of EVENT_NAMES) {
    events.on(name, (event) => void recorded.push({ name, event } as RecordedEvent));
  }
  return recorded;
}

/** Stops the crawl once this many pages have been visited. */
export function stopAfterPages(count: number): NonNullable<CrawlOrder['prepare']> {
  return (crawl, events) => {
    let seen = 0;
    events.on('url:visited', ({ isPage }) => {
      if (isPage) seen += 1;
      if (seen === count) crawl.stop();
    });
  };
}

/** A directory that is gone when the test is over. */
export async function temporaryDirectory(prefix = 'forager-crawl-'): Promise<string> {
  const directory = await mkdtemp(path.join(os.tmpdir(), prefix));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Looks until it is so. The test's own time limit ends a wait in vain. */
export async function waitUntil<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
