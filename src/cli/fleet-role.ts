/** Puts a worker of the fleet together from settings: for `forager worker`, and for the one inside `forager up`. */
import { setFlagsFromString } from 'node:v8';
import { createWorkerId } from '../engine/claim/worker-identity.ts';
import type { EngineEvents } from '../engine/events.ts';
import type { ReachException } from '../engine/fetch/open-socket.ts';
import { FleetWorker } from '../engine/fleet/fleet-worker.ts';
import { scopeOfDomain } from '../engine/frontier/domain-scope.ts';
import type { Config, RoleDefaults } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { crawlSettings, openTools } from './engine-tools.ts';

/** Sharing is what a worker is for; a crawl of its own goes through its seeds in their order, by itself. */
export const FLEET_DEFAULTS: RoleDefaults = { enableSmartScheduling: true, enableClaimProtocol: true };

/** Beyond the request timeout: for the last commit. */
const DRAIN_SLACK_MS = 2000;
/** From here on the heap is grown in smaller steps: less memory, for a little more time spent on collecting it. */
const MANY_DOMAINS = 2000;

export interface FleetOrder {
  readonly db: Database;
  readonly config: Config;
  readonly events: EngineEvents;
  readonly scope: 'host' | 'domain' | 'any';
  readonly id?: string | undefined;
  readonly untilIdle?: boolean;
  readonly mayReach?: ReachException | undefined;
}

export interface FleetRole {
  readonly fleet: FleetWorker;
  readonly workerId: string;
  /** What is in flight had its time: it is called off, and is simply still due. */
  callOff(): void;
  close(): Promise<void>;
}

/** How long what is in flight may take to end. */
export function drainMs(config: Config): number {
  return config.requestTimeoutMs + DRAIN_SLACK_MS;
}

export async function openFleetRole(order: FleetOrder): Promise<FleetRole> {
  const { db, config, events } = order;
  if (config.maxDomains > MANY_DOMAINS) setFlagsFromString('--heap-growing-percent=60');
  const tools = await openTools(config, order.mayReach);
  // Without the register nobody could tell two of a name apart.
  const workerId = (config.enableClaimProtocol ? order.id : undefined) ?? createWorkerId();
  const fleet = new FleetWorker({
    ...{ db, workerId, events, settings: crawlSettings(config, false) },
    ...{ fetcher: tools.fetcher, store: tools.store },
    scopeOf: (claimed) => scopeOfDomain(claimed, { scope: order.scope, maxDepth: config.maxDepth }),
    turnPages: config.maxPagesPerRun,
    isInFleet: config.enableClaimProtocol,
    untilIdle: order.untilIdle === true,
  });
  return {
    ...{ fleet, workerId },
    callOff: () => void tools.fetcher.close(),
    close: () => tools.close(),
  };
}
