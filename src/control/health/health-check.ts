/** Whether the server and what it needs are well: asked at most once a second, however many probes come. */
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { getHealth } from '../../contract/monitoring.ts';
import { monotonicMs } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { readMigrations } from '../../platform/migration-files.ts';
import { ProbeConnection } from '../../platform/probe-connection.ts';
import { readProgramVersion } from '../../platform/program-version.ts';
import { loadSql } from '../../platform/sql-file.ts';

const readHealth = loadSql(import.meta.url, './read-health.sql');

export type Health = AnswerOf<typeof getHealth>;

const FRESH_MS = 1000;
/** Probes give up after a few seconds themselves. */
const PATIENCE_MS = 2000;

interface HealthRow {
  readonly schemaVersion: number | null;
  readonly workers: number;
  readonly schedulers: number;
  readonly hasLeader: boolean;
  /** Tasks or policies have been due for a while, and nobody leads who would see to them. */
  readonly isDueWaiting: boolean;
  readonly jobsQueued: number;
  readonly jobsRunning: number;
}

export interface HealthSnapshot {
  readonly health: Health;
  /** The same as JSON. */
  readonly json: string;
}

export interface HealthParts {
  readonly db: Pick<Database, 'url' | 'kind'>;
  /** Undefined: none is set up. */
  readonly redisStatus: () => 'up' | 'down' | undefined;
  readonly rabbitStatus: () => 'up' | 'down' | undefined;
  /** What else goes wrong in this process, a sentence each. */
  readonly troubles?: (() => readonly string[]) | undefined;
}

export class HealthCheck {
  readonly version = readProgramVersion();
  readonly #parts: HealthParts;
  readonly #probe: ProbeConnection;
  readonly #startedMs = monotonicMs();
  #knownSchema: Promise<number> | undefined;
  #last: HealthSnapshot | undefined;
  #readAtMs = 0;
  #reading: Promise<HealthSnapshot> | undefined;

  constructor(parts: HealthParts) {
    this.#parts = parts;
    this.#probe = new ProbeConnection(parts.db);
  }

  /** Not older than a second; never fails. */
  async read(): Promise<HealthSnapshot> {
    if (this.#last !== undefined && monotonicMs() - this.#readAtMs < FRESH_MS) return this.#last;
    this.#reading ??= this.#ask().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async close(): Promise<void> {
    await this.#reading;
    this.#probe.close();
  }

  async #ask(): Promise<HealthSnapshot> {
    const startedMs = monotonicMs();
    const row = await this.#probe.ask<HealthRow>(readHealth, PATIENCE_MS).catch(() => undefined);
    const latencyMs = round(monotonicMs() - startedMs);
    const health = this.#describe(row, latencyMs, await this.#readKnownSchema());
    this.#last = { health, json: JSON.stringify(health) };
    this.#readAtMs = monotonicMs();
    return this.#last;
  }

  #describe(row: HealthRow | undefined, latencyMs: number, knownSchema: number): Health {
    const redis = this.#parts.redisStatus();
    const rabbitmq = this.#parts.rabbitStatus();
    const notes: string[] = [];
    if (row === undefined) notes.push('The database does not answer.');
    if (redis === 'down') notes.push('Redis does not answer; this server does its part by itself.');
    // Where it is and who logs in there is nobody's business here: the log and the doctor say it.
    if (rabbitmq === 'down') notes.push('RabbitMQ cannot be used; workers find tasks by looking.');
    if (row !== undefined && row.schemaVersion !== knownSchema) {
      notes.push(`The schema has version ${row.schemaVersion ?? 0}; this program knows ${knownSchema}.`);
    }
    if (row?.isDueWaiting === true) {
      notes.push('Tasks or policies are due and no scheduler leads: "forager scheduler" starts one.');
    }
    notes.push(...(this.#parts.troubles?.() ?? []));
    return {
      status: row === undefined ? 'down' : notes.length > 0 ? 'degraded' : 'ok',
      version: this.version,
      uptimeSeconds: Math.floor((monotonicMs() - this.#startedMs) / 1000),
      database: {
        ...{ status: row === undefined ? 'down' : 'up', kind: this.#parts.db.kind },
        latencyMs: row === undefined ? null : latencyMs,
        schemaVersion: row?.schemaVersion ?? null,
      },
      services: {
        ...(redis === undefined ? {} : { redis: { status: redis } }),
        ...(rabbitmq === undefined ? {} : { rabbitmq: { status: rabbitmq } }),
        workers: row === undefined ? null : { active: row.workers },
        schedulers: row === undefined ? null : { active: row.schedulers, hasLeader: row.hasLeader },
        jobs: row === undefined ? null : { queued: row.jobsQueued, running: row.jobsRunning },
      },
      notes,
    };
  }

  async #readKnownSchema(): Promise<number> {
    this.#knownSchema ??= readMigrations().then((migrations) => migrations.at(-1)?.version ?? 0);
    return this.#knownSchema;
  }
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
