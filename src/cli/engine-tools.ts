/** What a crawl and a worker need besides the database: settings in the engine's terms, a fetcher, an archive. */

import { imagesDirectory } from '../control/images/images-directory.ts';
import type { CrawlSettings } from '../engine/crawl-settings.ts';
import type { ParserRegistry } from '../engine/extract/registry.ts';
import { createFetcher, type Fetcher } from '../engine/fetch/fetcher.ts';
import type { ReachException } from '../engine/fetch/open-socket.ts';
import { type BlobStore, localBlobStore } from '../engine/images/blob-store.ts';
import { productToken } from '../engine/politeness/product-token.ts';
import type { BodyStore } from '../engine/store/body-store.ts';
import { openWarcStore } from '../engine/store/open-warc-store.ts';
import type { Config } from '../platform/config.ts';
import { readProgramVersion } from '../platform/program-version.ts';
import { openWantedParsers } from './wanted-parsers.ts';
import { warcDirectory } from './warc-directory.ts';

/** Connections are kept for as many origins as domains may be in hand, within reason. */
const FEWEST_ORIGINS = 1024;
const MOST_ORIGINS = 2048;
const CONNECT_TIMEOUT_MS = 10_000;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

export interface EngineTools {
  readonly fetcher: Fetcher;
  readonly store: BodyStore | undefined;
  readonly blobs: BlobStore;
  readonly parsers: ParserRegistry | undefined;
  close(): Promise<void>;
}

export async function openTools(
  config: Config,
  mayReach?: ReachException,
  warn?: (sentence: string) => void,
): Promise<EngineTools> {
  const parsers = await openWantedParsers(config, warn);
  const store = config.keepBodies ? await openStore(config) : undefined;
  const fetcher = createFetcher({
    allowPrivate: config.allowPrivate,
    allowPrivateProxies: config.privateProxies,
    mayReach,
    maxConnectionsPerOrigin: config.maxConcurrentRequests,
    maxOrigins: Math.min(MOST_ORIGINS, Math.max(FEWEST_ORIGINS, config.maxDomains)),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  });
  return {
    ...{ fetcher, store, blobs: localBlobStore(imagesDirectory(config)), parsers },
    close: async () => {
      await fetcher.close();
      await store?.close();
    },
  };
}

function openStore(config: Config): Promise<BodyStore> {
  return openWarcStore(warcDirectory(config), {
    software: `Forager/${readProgramVersion()}`,
    robots: config.respectRobots ? 'obey' : 'ignore',
  });
}

export function crawlSettings(config: Config, stripTrailingSlash: boolean): CrawlSettings {
  return {
    userAgent: config.userAgent,
    productToken: productToken(config.userAgent),
    delayMs: config.delayMs,
    maxConcurrentPerDomain: config.maxConcurrentRequests,
    maxInFlight: config.maxInFlight,
    requestTimeoutMs: config.requestTimeoutMs,
    maxBodyBytes: config.maxBodyBytes,
    maxDepth: config.maxDepth,
    maxRedirects: config.maxRedirects,
    maxRetries: config.maxRetries,
    maxLinksPerPage: config.maxLinksPerPage,
    imagesMode: config.images,
    maxImageBytes: config.maxImageBytes,
    maxImagesPerPage: config.maxImagesPerPage,
    maxCrawlDelayMs: config.maxCrawlDelayMs,
    maxHoldMs: config.maxHoldMs,
    leaseMs: config.leaseSeconds * 1000,
    maxDomains: config.maxDomains,
    batchPages: config.batchPages,
    batchMs: config.batchMs,
    respectRobots: config.respectRobots,
    readSitemaps: config.readSitemaps,
    stripTrailingSlash,
    isClaimedByScore: config.enableSmartScheduling,
    isBudgetFair: config.enablePerDomainBudget,
    isDomainTracked: config.enableDomainTracking,
    mayAddTaskDomains: config.unknownDomains === 'create',
    refresh: {
      isOn: config.enableRefreshMode,
      firstSeconds: config.refreshDays * DAY_SECONDS,
      floorSeconds: config.refreshFloorHours * HOUR_SECONDS,
      ceilingSeconds: config.refreshCeilingDays * DAY_SECONDS,
      goneAfterMisses: config.goneAfterMisses,
    },
  };
}
