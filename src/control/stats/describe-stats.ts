/** From rows to what is shown of the crawl as a whole. Nothing in it names a site: everybody may see it. */
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { getStats } from '../../contract/monitoring.ts';
import type { Census, Outside } from './census.ts';
import type { Activity, TallyRow } from './figures.ts';
import { each, type Rates, type RateWindow } from './rate-window.ts';

export type Stats = AnswerOf<typeof getStats>;

const MINUTE_SECONDS = 60;

export function describeStats(
  { asOf, atMs }: { readonly asOf: Date; readonly atMs: number },
  rows: readonly TallyRow[],
  activity: Activity,
  census: Census | undefined,
  window: RateWindow,
): Stats {
  const byTally = new Map(rows.map((row) => [row.tally, row]));
  const totals = each((name) => byTally.get(name)?.total ?? 0);
  const minute = rateOfMinute(byTally, activity.secondsIntoMinute);
  const recent = window.add(atMs, totals) ?? minute;
  const durationMs = byTally.get('duration_ms')?.total ?? 0;
  return {
    asOf: asOf.toISOString(),
    totals: { ...totals, robotsDenials: byTally.get('skip:robots')?.total ?? 0, fetchMs: durationMs },
    successRate: successOf(totals.fetches, totals.errors),
    rates: {
      seconds: recent.seconds,
      pagesPerSecond: recent.perSecond.pages,
      fetchesPerSecond: recent.perSecond.fetches,
      errorsPerSecond: recent.perSecond.errors,
      bytesPerSecond: recent.perSecond.bytes,
      urlsPerSecond: recent.perSecond.urls,
    },
    lastMinute: {
      ...each((name) => Math.round(minute.perSecond[name] * MINUTE_SECONDS)),
      pagesPerSecond: minute.perSecond.pages,
      successRate: successOf(minute.perSecond.fetches, minute.perSecond.errors),
    },
    statusCodes: pick(rows, 'status:'),
    outcomes: pick(rows, 'outcome:'),
    skipped: pick(rows, 'skip:'),
    refreshed: pick(rows, 'refresh:'),
    taskOutcomes: pick(rows, 'task:'),
    ...describeCensus(census),
    workers: { active: activity.workers, inFlight: activity.inFlight },
    alerts: { warning: activity.warnings, critical: activity.criticals },
  };
}

type Counted = Pick<Stats, 'frontier' | 'domains' | 'runs' | 'tasks' | 'proxies' | 'bots'>;

function describeCensus(census: Census | undefined): Counted {
  if (census === undefined) {
    return { frontier: null, domains: null, runs: null, tasks: null, proxies: null, bots: null };
  }
  const { due, waiting, domains, leases, runs, tasks } = census;
  const asOf = census.takenAt.toISOString();
  return {
    frontier: { size: due + waiting, due, waiting, asOf },
    domains: { ...domains, leased: leases, asOf },
    runs: { ...runs, asOf },
    tasks: { ...tasks, asOf },
    ...describeOutside(census.outside, asOf),
  };
}

function describeOutside(outside: Outside, asOf: string): Pick<Stats, 'proxies' | 'bots'> {
  const { activeProxies, outProxies, disabledProxies, waitingDomains, activeBots, ...rest } = outside;
  return {
    proxies: { active: activeProxies, out: outProxies, disabled: disabledProxies, waitingDomains, asOf },
    bots: { active: activeBots, ...rest, asOf },
  };
}

/** The last sixty seconds: this minute so far, and as much of the one before as is missing to sixty seconds. */
function rateOfMinute(byTally: ReadonlyMap<string, TallyRow>, secondsIntoMinute: number): Rates {
  const restOfLast = 1 - Math.min(MINUTE_SECONDS, secondsIntoMinute) / MINUTE_SECONDS;
  const perSecond = each((name) => {
    const row = byTally.get(name);
    return row === undefined ? 0 : (row.thisMinute + row.lastMinute * restOfLast) / MINUTE_SECONDS;
  });
  return { perSecond, seconds: MINUTE_SECONDS };
}

/** Null: nothing was fetched. */
function successOf(fetches: number, errors: number): number | null {
  return fetches > 0 ? Math.min(1, Math.max(0, (fetches - errors) / fetches)) : null;
}

function pick(rows: readonly TallyRow[], prefix: string): Record<string, number> {
  return Object.fromEntries(
    rows
      .filter(({ tally }) => tally.startsWith(prefix))
      .map(({ tally, total }): [string, number] => [tally.slice(prefix.length), total])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
