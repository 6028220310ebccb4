/**
 * Figures for Prometheus. What this process knows of itself is counted here; what the crawl counts comes from the
 * database, so that it never goes back, whichever process is restarted. No label names a site, a URL or a worker.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { HealthCheck } from '../control/health/health-check.ts';
import type { Figures } from '../control/stats/figures.ts';
import { monotonicMs } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { CrawlMetrics } from './crawl-metrics.ts';
import type { Monitor } from './monitor.ts';
import { SchedulerMetrics } from './scheduler-metrics.ts';

export interface MetricsParts {
  readonly databases: Readonly<Record<string, Database>> & { readonly answers: Database };
  readonly figures: Figures;
  readonly health: HealthCheck;
  readonly monitor: Pick<Monitor, 'failures'>;
}

const FRESH_MS = 1000;
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

export class Metrics {
  readonly #parts: MetricsParts;
  readonly #process = new Registry();
  readonly #crawl = new CrawlMetrics();
  readonly #schedulers: SchedulerMetrics;
  readonly #durations: Histogram<'method' | 'route' | 'status'>;
  readonly #isUp: Gauge;
  #last = '';
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<string> | undefined;

  constructor(parts: MetricsParts) {
    this.#parts = parts;
    this.#schedulers = new SchedulerMetrics(parts.databases.answers);
    const registers = [this.#process];
    collectDefaultMetrics({ register: this.#process });
    // Gauges that call themselves totals: tools take them for counters.
    for (const what of ['resources', 'handles', 'requests']) {
      this.#process.removeSingleMetric(`nodejs_active_${what}_total`);
    }
    this.#durations = new Histogram({
      name: 'forager_http_request_duration_seconds',
      help: 'How long requests took to be answered',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    });
    this.#isUp = new Gauge({
      name: 'forager_database_up',
      help: 'Whether the database answers: 1 or 0',
      registers,
    });
    new Gauge({
      name: 'forager_build_info',
      help: 'The program, always 1',
      labelNames: ['version'],
      registers,
    }).set({ version: parts.health.version }, 1);
    addPoolGauges(parts.databases, this.#process);
    addFailureCounter(parts.monitor, this.#process);
  }

  /** Counts every request that is answered; streams, which last as long as somebody listens, are not. */
  watch(app: FastifyInstance): void {
    app.addHook('onResponse', (request, reply, done) => {
      this.#note(request, reply);
      done();
    });
  }

  #note(request: FastifyRequest, reply: FastifyReply): void {
    const { config, url } = request.routeOptions;
    if (config.endpoint?.contentType === 'text/event-stream') return;
    // Whatever is asked for that does not exist is one route: names of nowhere are without end.
    const route = config.endpoint?.path ?? url ?? 'none';
    const method = METHODS.has(request.method) ? request.method : 'other';
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    this.#durations.observe({ method, route, status }, reply.elapsedTime / 1000);
  }

  /** In the text format of Prometheus, not older than a second; never fails. */
  async read(): Promise<string> {
    if (monotonicMs() - this.#readAtMs < FRESH_MS) return this.#last;
    this.#reading ??= this.#collect().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #collect(): Promise<string> {
    const startedMs = monotonicMs();
    const { health, figures } = this.#parts;
    const isUp = (await health.read()).health.database.status === 'up';
    const snapshot = isUp ? await figures.read().catch(() => undefined) : undefined;
    this.#isUp.set(isUp ? 1 : 0);
    const parts = [await this.#process.metrics()];
    if (snapshot !== undefined) parts.push(await this.#crawl.write(snapshot.stats));
    if (isUp) parts.push(await this.#schedulers.write().catch(() => ''));
    this.#last = parts.join('\n');
    this.#readAtMs = startedMs;
    return this.#last;
  }
}

function addPoolGauges(databases: Readonly<Record<string, Database>>, registry: Registry): void {
  const gauge = (name: string, help: string, value: (db: Database) => number): void => {
    new Gauge({
      name: `forager_database_pool_${name}`,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const [pool, db] of Object.entries(databases)) this.set({ pool }, value(db));
      },
    });
  };
  gauge('connections', 'Connections to the database', ({ pool }) => pool.totalCount);
  gauge('idle_connections', 'Connections that nobody uses at the moment', ({ pool }) => pool.idleCount);
  gauge('waiting_queries', 'Questions that wait for a connection', ({ pool }) => pool.waitingCount);
}

function addFailureCounter(monitor: Pick<Monitor, 'failures'>, registry: Registry): void {
  new Counter({
    name: 'forager_background_failures_total',
    help: 'How often what the server does beside its requests has failed',
    labelNames: ['duty'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [duty, count] of monitor.failures) this.inc({ duty }, count);
    },
  });
}
