/** A worker of the fleet inside the test's own process, on the standing order until there is nothing to do. */

import { createWorkerId } from '../../src/engine/claim/worker-identity.ts';
import type { CrawlSettings } from '../../src/engine/crawl-settings.ts';
import { EngineEvents } from '../../src/engine/events.ts';
import type { ParserRegistry } from '../../src/engine/extract/registry.ts';
import type { Fetcher } from '../../src/engine/fetch/fetcher.ts';
import { FleetWorker } from '../../src/engine/fleet/fleet-worker.ts';
import { admitIntoDomains } from '../../src/engine/frontier/admit-into-domains.ts';
import { scopeOfDomain } from '../../src/engine/frontier/domain-scope.ts';
import { groupByDomain } from '../../src/engine/frontier/seeds.ts';
import type { BlobStore } from '../../src/engine/images/blob-store.ts';
import type { BodyStore } from '../../src/engine/store/body-store.ts';
import type { Database } from '../../src/platform/database.ts';
import type { SecretBox } from '../../src/platform/secret-box.ts';
import { createTestFetcher } from '../origin/fetch-from.ts';
import { type RecordedEvent, recordEvents, testSettings, toSeed } from './crawl-support.ts';

/** Puts these URLs into the standing order. */
export async function seedFleet(db: Database, urls: readonly string[]): Promise<void> {
  await admitIntoDomains(db, 0, groupByDomain(urls.map((url) => toSeed(url))), 'seed');
}

export interface FleetOrder {
  readonly db: Database;
  readonly workerId?: string;
  readonly turnPages?: number;
  readonly isInFleet?: boolean;
  readonly settings?: Partial<CrawlSettings>;
  readonly store?: BodyStore;
  /** Where images are kept; without it none are asked for. */
  readonly blobs?: BlobStore;
  /** Pages are looked at for products, by these. */
  readonly parsers?: ParserRegistry;
  /** Somebody else's fetcher: not closed here. */
  readonly fetcher?: Fetcher;
  /** What passwords of proxies are opened with. */
  readonly openSecrets?: () => Promise<SecretBox>;
  /** Called before it works: to listen, or to stop it at some point. */
  readonly prepare?: (worker: FleetWorker, events: EngineEvents) => void;
}

export interface FleetReport {
  readonly end: 'stopped' | 'idle';
  readonly events: readonly RecordedEvent[];
}

export async function runTestFleet(order: FleetOrder): Promise<FleetReport> {
  const settings = { ...testSettings, isClaimedByScore: true, ...order.settings };
  const events = new EngineEvents();
  const recorded = recordEvents(events);
  const fetcher =
    order.fetcher ?? createTestFetcher({ maxConnectionsPerOrigin: settings.maxConcurrentPerDomain });
  const worker = new FleetWorker({
    ...{ db: order.db, settings, fetcher, events, store: order.store, untilIdle: true },
    openSecrets: order.openSecrets,
    parsers: order.parsers,
    blobs: order.blobs,
    workerId: order.workerId ?? createWorkerId(),
    scopeOf: (claimed) => scopeOfDomain(claimed, { scope: 'host', maxDepth: settings.maxDepth }),
    turnPages: order.turnPages ?? 1000,
    isInFleet: order.isInFleet ?? false,
  });
  order.prepare?.(worker, events);
  try {
    return { end: await worker.run(), events: recorded };
  } finally {
    if (order.fetcher === undefined) await fetcher.close();
  }
}
