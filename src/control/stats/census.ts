/**
 * What there is at the moment: URLs in the frontier, domains by state, leases, crawls, tasks, proxies, jobs of bots.
 * Counting it takes longer the more there is, so it is done rarely in proportion to its cost, and nobody waits for a new count while there is an
 * older one.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { domainStatus } from '../../contract/values.ts';
import { monotonicMs, now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';

const countFrontier = loadSql(import.meta.url, './count-frontier.sql');
const countHoldings = loadSql(import.meta.url, './count-holdings.sql');
const countOutside = loadSql(import.meta.url, './count-outside.sql');

export const DOMAIN_STATES = domainStatus.options;
export type DomainState = (typeof DOMAIN_STATES)[number];
export const RUN_STATES = ['running', 'interrupted', 'finished', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];
/** Of tasks that are not over: those that are only ever become more. */
export const TASK_STATES = [
  ...([
    'pending',
    'queued',
    'crawling',
    'downloaded',
    'queued_parse',
    'parsing',
    'paused',
    'locked',
  ] as const),
] as const;
export type TaskState = (typeof TASK_STATES)[number];

export interface Census {
  readonly takenAt: Date;
  readonly tookMs: number;
  /** Never read: can be read now, and waiting for another attempt. */
  readonly due: number;
  readonly waiting: number;
  readonly domains: Readonly<Record<DomainState, number>>;
  readonly leases: number;
  readonly runs: Readonly<Record<RunState, number>>;
  readonly tasks: Readonly<Record<TaskState, number>>;
  readonly outside: Outside;
}

/** What goes through proxies, and by the hands of bots. */
export interface Outside {
  readonly activeProxies: number;
  /** For their failures. */
  readonly outProxies: number;
  /** By a person. */
  readonly disabledProxies: number;
  /** Domains for which no proxy can be used just now. */
  readonly waitingDomains: number;
  /** Heard of in the last ten minutes. */
  readonly activeBots: number;
  readonly pendingJobs: number;
  readonly lockedJobs: number;
  /** Since ever. */
  readonly pulls: number;
  readonly jobs: number;
  readonly successes: number;
  readonly failures: number;
  readonly expired: number;
}

const NOTHING_OUTSIDE: Outside = {
  ...{ activeProxies: 0, outProxies: 0, disabledProxies: 0, waitingDomains: 0 },
  ...{ activeBots: 0, pendingJobs: 0, lockedJobs: 0 },
  ...{ pulls: 0, jobs: 0, successes: 0, failures: 0, expired: 0 },
};

interface Holdings {
  readonly domains: Partial<Record<DomainState, number>>;
  readonly leases: number;
  readonly runs: Partial<Record<RunState, number>>;
  readonly tasks: Partial<Record<TaskState, number>>;
}

export async function takeCensus(db: Database): Promise<Census> {
  const startedMs = monotonicMs();
  const takenAt = now();
  const frontier = (await db.query<{ due: number; waiting: number }>(countFrontier)).rows[0];
  const holdings = (await db.query<Holdings>(countHoldings)).rows[0];
  const outside = (await db.query<Outside>(countOutside)).rows[0];
  return {
    ...{ takenAt, tookMs: monotonicMs() - startedMs },
    ...{ due: frontier?.due ?? 0, waiting: frontier?.waiting ?? 0, leases: holdings?.leases ?? 0 },
    domains: complete(DOMAIN_STATES, holdings?.domains),
    runs: complete(RUN_STATES, holdings?.runs),
    tasks: complete(TASK_STATES, holdings?.tasks),
    outside: outside ?? NOTHING_OUTSIDE,
  };
}

function complete<K extends string>(
  keys: readonly K[],
  counts: Partial<Record<K, number>> = {},
): Record<K, number> {
  return Object.fromEntries(keys.map((key) => [key, counts[key] ?? 0])) as Record<K, number>;
}

/** Counting takes at most one part in so many of the time. */
export const REST_FACTOR = 50;
const SHORTEST_REST_MS = 1000;
/** How long somebody waits for the very first one. */
const FIRST_WAIT_MS = 1000;

/** The last census, renewed when somebody asks and its rest is over. */
export class CensusKeeper {
  readonly #db: Database;
  #last: Census | undefined;
  #dueAtMs = 0;
  #counting: Promise<Census> | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Undefined: there is none yet. */
  async read(): Promise<Census | undefined> {
    if (this.#counting === undefined && monotonicMs() >= this.#dueAtMs) this.#count();
    if (this.#last !== undefined || this.#counting === undefined) return this.#last;
    const ending = new AbortController();
    try {
      return await Promise.race([
        this.#counting,
        pause(FIRST_WAIT_MS, undefined, { signal: ending.signal, ref: false }),
      ]);
    } finally {
      ending.abort();
    }
  }

  #count(): void {
    const startedMs = monotonicMs();
    const counting = takeCensus(this.#db)
      .then((census) => {
        this.#last = census;
        return census;
      })
      .finally(() => {
        this.#counting = undefined;
        const tookMs = monotonicMs() - startedMs;
        this.#dueAtMs = monotonicMs() + Math.max(SHORTEST_REST_MS, tookMs * REST_FACTOR);
      });
    // Whoever has an older one does not look at this one's fate.
    counting.catch(() => undefined);
    this.#counting = counting;
  }
}
