/** The crawl's figures for Prometheus, as they stand in the database. */
import { Counter, Gauge, Registry } from 'prom-client';
import type { Stats } from '../control/stats/describe-stats.ts';
import { CONSEQUENCES } from '../engine/outcome.ts';

type Amounts = Iterable<readonly [label: string, value: number]>;

export class CrawlMetrics {
  readonly #registry = new Registry();
  readonly #writers: ((stats: Stats) => void)[] = [];

  constructor() {
    this.#counter('crawler_pages_fetched_total', 'Pages fetched', ({ totals }) => totals.pages);
    this.#counter('crawler_fetches_total', 'Fetches, however they ended', ({ totals }) => totals.fetches);
    this.#counter(
      'crawler_downloaded_bytes_total',
      'Bytes that were downloaded',
      ({ totals }) => totals.bytes,
    );
    this.#counter('crawler_urls_added_total', 'URLs that were not known before', ({ totals }) => totals.urls);
    this.#counter(
      'crawler_robots_denials_total',
      'URLs not fetched because robots.txt disallows them',
      ({ totals }) => totals.robotsDenials,
    );
    this.#counter(
      'crawler_fetch_duration_seconds_total',
      'Seconds that all fetches took together',
      ({ totals }) => totals.fetchMs / 1000,
    );
    this.#counters('crawler_http_status_total', 'Answers by HTTP status code', 'code', ({ statusCodes }) =>
      Object.entries(statusCodes),
    );
    this.#counters(
      'crawler_fetch_errors_total',
      'Fetches that failed, by how they ended',
      'outcome',
      ({ outcomes }) => Object.entries(outcomes).filter(([outcome]) => isError(outcome)),
    );
    this.#counters(
      'crawler_task_outcomes_total',
      'What became of tasks that were worked on',
      'outcome',
      ({ taskOutcomes }) => Object.entries(taskOutcomes),
    );
    this.#gauges('crawler_pages_per_second', 'Pages fetched per second at the moment', [], ({ rates }) => [
      ['', rates.pagesPerSecond],
    ]);
    this.#gauges(
      'crawler_fetch_success_rate',
      'Ratio of fetches that succeeded in the last minute, 0 to 1',
      [],
      ({ lastMinute }) => (lastMinute.successRate === null ? [] : [['', lastMinute.successRate]]),
    );
    this.#gauges('crawler_frontier_size', 'URLs that are known and not fetched yet', [], ({ frontier }) =>
      frontier === null ? [] : [['', frontier.size]],
    );
    this.#gauges('crawler_active_workers', 'Workers heard of within two minutes', [], ({ workers }) => [
      ['', workers.active],
    ]);
    this.#gauges('crawler_requests_in_flight', 'Requests under way', [], ({ workers }) => [
      ['', workers.inFlight],
    ]);
    this.#gauges('crawler_domains', 'Domains by state', ['status'], ({ domains }) => {
      if (domains === null) return [];
      const { asOf: _, leased: __, ...states } = domains;
      return Object.entries(states);
    });
    this.#gauges('crawler_tasks', 'Tasks that are not over, by state', ['status'], ({ tasks }) => {
      if (tasks === null) return [];
      const { asOf: _, ...states } = tasks;
      return Object.entries(states);
    });
    this.#gauges('crawler_proxies', 'Proxies by state', ['state'], ({ proxies }) => {
      if (proxies === null) return [];
      const { active, out, disabled } = proxies;
      return Object.entries({ active, out, disabled });
    });
    this.#gauges(
      'crawler_domains_without_proxy',
      'Domains for which no proxy can be used just now',
      [],
      ({ proxies }) => (proxies === null ? [] : [['', proxies.waitingDomains]]),
    );
    this.#gauges('crawler_active_bots', 'Bots that asked for work in the last ten minutes', [], ({ bots }) =>
      bots === null ? [] : [['', bots.active]],
    );
    this.#gauges('crawler_bot_jobs', 'Jobs for bots that are not over, by state', ['status'], ({ bots }) =>
      bots === null ? [] : Object.entries({ pending: bots.pendingJobs, locked: bots.lockedJobs }),
    );
    this.#whenCounted(
      'crawler_bot_pulls_total',
      'How often bots have asked for work',
      [],
      ({ bots }) => bots && { '': bots.pulls },
    );
    this.#whenCounted(
      'crawler_bot_jobs_handed_out_total',
      'Jobs that bots were given',
      [],
      ({ bots }) => bots && { '': bots.jobs },
    );
    this.#whenCounted(
      'crawler_bot_results_total',
      'What became of jobs that bots were given',
      ['outcome'],
      ({ bots }) => bots && { success: bots.successes, failure: bots.failures, expired: bots.expired },
    );
    this.#gauges('crawler_alerts', 'Alerts that are not over', ['severity'], ({ alerts }) =>
      Object.entries(alerts),
    );
  }

  async write(stats: Stats): Promise<string> {
    for (const write of this.#writers) write(stats);
    return this.#registry.metrics();
  }

  #counter(name: string, help: string, value: (stats: Stats) => number): void {
    const counter = new Counter({ name, help, registers: [this.#registry] });
    this.#writers.push((stats) => {
      counter.reset();
      counter.inc(value(stats));
    });
  }

  #counters(name: string, help: string, label: string, amounts: (stats: Stats) => Amounts): void {
    const counter = new Counter({ name, help, labelNames: [label], registers: [this.#registry] });
    this.#writers.push((stats) => {
      counter.reset();
      for (const [value, amount] of amounts(stats)) counter.inc({ [label]: value }, amount);
    });
  }

  /** A counter that is not there as long as nobody has counted: a zero would be a step back. */
  #whenCounted(
    name: string,
    help: string,
    labels: readonly string[],
    amounts: (stats: Stats) => Readonly<Record<string, number>> | null,
  ): void {
    const counter = new Counter({ name, help, labelNames: [...labels], registers: [this.#registry] });
    const [label] = labels;
    this.#writers.push((stats) => {
      counter.reset();
      if (label === undefined) counter.remove();
      for (const [value, amount] of Object.entries(amounts(stats) ?? {})) {
        if (label === undefined) counter.inc(amount);
        else counter.inc({ [label]: value }, amount);
      }
    });
  }

  /** One without a label has one value under no name, or none when nothing is known. */
  #gauges(name: string, help: string, labels: readonly string[], amounts: (stats: Stats) => Amounts): void {
    const gauge = new Gauge({ name, help, labelNames: [...labels], registers: [this.#registry] });
    const [label] = labels;
    this.#writers.push((stats) => {
      gauge.reset();
      if (label === undefined) gauge.remove();
      for (const [value, amount] of amounts(stats)) {
        if (label === undefined) gauge.set(amount);
        else gauge.set({ [label]: value }, amount);
      }
    });
  }
}

function isError(outcome: string): boolean {
  return Object.entries(CONSEQUENCES).some(([kind, { isError: is }]) => kind === outcome && is);
}
