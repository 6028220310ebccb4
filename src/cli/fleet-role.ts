/** Puts a worker of the fleet together from settings: for `forager worker`, and for the one inside `forager up`. */
import { setFlagsFromString } from 'node:v8';
import { openBox } from '../control/secrets/open-box.ts';
import type { HandOver } from '../distribution/distribution.ts';
import { createWorkerId } from '../engine/claim/worker-identity.ts';
import type { EngineEvents } from '../engine/events.ts';
import type { ParserRegistry } from '../engine/extract/registry.ts';
import type { ReachException } from '../engine/fetch/open-socket.ts';
import { FleetWorker } from '../engine/fleet/fleet-worker.ts';
import { type DomainRules, scopeOfDomain } from '../engine/frontier/domain-scope.ts';
import type { Scope } from '../engine/frontier/scope.ts';
import { ParseWorker } from '../engine/parsing/parse-worker.ts';
import type { Config, RoleDefaults } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { crawlSettings, openTools } from './engine-tools.ts';
import { hearHints } from './hear-hints.ts';
import { warcDirectory } from './warc-directory.ts';

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
  /** Pages that were ordered are fetched, kept, and left to parsers. */
  readonly isCrawlOnly?: boolean;
  /** What goes wrong with how it learns of work: it finds the work by looking, so nothing ends for that. */
  readonly warn?: (sentence: string, error?: unknown) => void;
}

export interface FleetRole {
  readonly fleet: FleetWorker;
  readonly workerId: string;
  run(): Promise<'stopped' | 'idle'>;
  /** Takes nothing more, finishes what is in flight, commits, gives back the rest. */
  stop(): void;
  /** What is in flight had its time: it is called off, and is simply still due. */
  callOff(): void;
  close(): Promise<void>;
}

/** How long what is in flight may take to end. */
export function drainMs(config: Config): number {
  return config.requestTimeoutMs + DRAIN_SLACK_MS;
}

export async function openFleetRole(order: FleetOrder): Promise<FleetRole> {
  const { db, config, events, isCrawlOnly = false } = order;
  if (config.maxDomains > MANY_DOMAINS) setFlagsFromString('--heap-growing-percent=60');
  const tools = await openTools(config, order.mayReach, order.warn);
  const workerId = chooseWorkerId(order);
  // Parsing that was restarted must work without a worker of its own for it.
  const { parsers } = tools;
  const parser = isCrawlOnly ? undefined : openParser(order, workerId, parsers);
  const fleet = new FleetWorker({
    ...{ db, workerId, events },
    settings: { ...crawlSettings(config, false), isParsingLeft: isCrawlOnly },
    ...{
      fetcher: tools.fetcher,
      store: tools.store,
      blobs: tools.blobs,
      parsers,
      openSecrets: () => openBox(db, config),
    },
    scopeOf: scopeOf(order),
    turnPages: config.maxPagesPerRun,
    isInFleet: config.enableClaimProtocol,
    untilIdle: order.untilIdle === true,
    ...(parser === undefined ? {} : { isIdleBesides: () => parser.isIdle() }),
  });
  return {
    ...{ fleet, workerId },
    run: () => runTogether(order, fleet, parser),
    stop: () => {
      fleet.stop();
      parser?.stop();
    },
    callOff: () => void tools.fetcher.close(),
    close: () => tools.close(),
  };
}

/** Without the register nobody could tell two of a name apart. */
export function chooseWorkerId({ config, id }: Pick<FleetOrder, 'config' | 'id'>): string {
  return (config.enableClaimProtocol ? id : undefined) ?? createWorkerId();
}

export function openParser(
  order: FleetOrder,
  workerId: string,
  parsers: ParserRegistry | undefined,
): ParseWorker {
  const { db, config, events } = order;
  return new ParseWorker({
    ...{ db, workerId, events, settings: crawlSettings(config, false) },
    ...{ warcDirectory: warcDirectory(config), scopeOf: scopeOf(order), parsers },
  });
}

function scopeOf({ scope, config }: FleetOrder) {
  return (rules: DomainRules): Scope => scopeOfDomain(rules, { scope, maxDepth: config.maxDepth });
}

/** The crawl says when it is over; the parser beside it ends with it. */
async function runTogether(
  order: FleetOrder,
  fleet: FleetWorker,
  parser: ParseWorker | undefined,
): Promise<'stopped' | 'idle'> {
  const hints = hearHints(order, {
    crawl: (domainId, isUrgent) => noteTasks(fleet, domainId, isUrgent),
    ...(parser === undefined ? {} : { parse: () => parser.wake() }),
  });
  // Once it is in the register: one that is refused there because another of its name is at work must not take that
  // one's tasks for its own of an earlier life.
  let parsing: Promise<void> | undefined;
  const stopListening = order.events.on('worker:started', () => {
    parsing ??= parser?.run();
  });
  try {
    return await fleet.run();
  } finally {
    stopListening();
    parser?.stop();
    await hints.close();
    await parsing;
  }
}

function noteTasks({ worker }: FleetWorker, domainId: number, isUrgent: boolean): HandOver {
  const note = worker?.noteTasks(domainId, isUrgent) ?? 'full';
  return note === 'full' ? 'later' : 'taken';
}
