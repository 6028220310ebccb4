/** Who works on this database, as each said last and as the leases say. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';

const list = loadSql(import.meta.url, './list-workers.sql');
const countStrangers = loadSql(import.meta.url, './count-strangers.sql');

export interface WorkerRow {
  readonly id: string;
  readonly kind: 'worker' | 'crawl';
  /** What it does with tasks: some only fetch, some only parse. */
  readonly duties: readonly ('crawl' | 'parse')[];
  /** The run it works for; 0 is the standing order. */
  readonly run: number;
  readonly host: string;
  readonly pid: number;
  readonly programVersion: string;
  /** Dead: silent for two minutes without having stopped. */
  readonly state: 'running' | 'draining' | 'stopped' | 'dead';
  /** Domains whose lease it has: the truth. */
  readonly domainsHeld: number;
  /** The same, as it said last. */
  readonly domainsSaid: number;
  readonly inFlight: number;
  /** Room for domains it has and cannot fill. */
  readonly wanted: number;
  readonly pages: number;
  readonly fetches: number;
  readonly errors: number;
  readonly bytes: number;
  /** Since it started. */
  readonly pagesPerSecond: number | null;
  readonly heartbeatAgeSeconds: number;
  readonly heartbeatAt: Date;
  readonly startedAt: Date;
  readonly stoppedAt: Date | null;
}

export interface Strangers {
  readonly holders: number;
  readonly domains: number;
}

/** Those that stopped come last. */
export async function listWorkers(db: Database): Promise<WorkerRow[]> {
  return (await db.query<WorkerRow>(list)).rows;
}

/** Holders of leases that are not in the list: crawls need not register. */
export async function readStrangers(db: Database): Promise<Strangers> {
  return (await db.query<Strangers>(countStrangers)).rows[0] ?? { holders: 0, domains: 0 };
}
