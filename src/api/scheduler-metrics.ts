/** Who schedules, for Prometheus, as it stands in the database. */
import { Counter, Gauge, Registry } from 'prom-client';
import { listSchedulers, type SchedulerRow } from '../control/schedulers/list-schedulers.ts';
import type { Database } from '../platform/database.ts';

const STATES = ['leading', 'waiting', 'dead'] as const;

export class SchedulerMetrics {
  readonly #db: Database;
  readonly #registry = new Registry();
  readonly #schedulers: Gauge<'state'>;
  readonly #ticks: Counter;
  readonly #lastTick: Gauge;

  constructor(db: Database) {
    this.#db = db;
    const registers = [this.#registry];
    this.#schedulers = new Gauge({
      ...{ name: 'forager_schedulers', help: 'Schedulers by state: one should lead' },
      ...{ labelNames: ['state'], registers },
    });
    this.#ticks = new Counter({
      ...{ name: 'forager_scheduler_ticks_total', help: 'Ticks of the schedulers that are known', registers },
    });
    this.#lastTick = new Gauge({
      ...{ name: 'forager_scheduler_last_tick_seconds', help: 'How long the last tick of the leader took' },
      registers,
    });
  }

  async write(): Promise<string> {
    const rows = await listSchedulers(this.#db);
    for (const state of STATES) this.#schedulers.set({ state }, count(rows, state));
    this.#ticks.reset();
    this.#ticks.inc(rows.reduce((sum, { ticks }) => sum + ticks, 0));
    this.#lastTick.set((rows.find(({ state }) => state === 'leading')?.lastTickMs ?? 0) / 1000);
    return this.#registry.metrics();
  }
}

function count(rows: readonly SchedulerRow[], wanted: SchedulerRow['state']): number {
  return rows.filter(({ state }) => state === wanted).length;
}
