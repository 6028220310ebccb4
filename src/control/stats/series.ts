/** Figures over time: every step has a value, also those in which nothing happened. */
import { GAUGES, MOST_POINTS, type Step } from '../../contract/series.ts';
import { now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';

const readCounters = loadSql(import.meta.url, './read-counters.sql');
const readGauges = loadSql(import.meta.url, './read-gauges.sql');

const STEP_SECONDS = { '1m': 60, '5m': 300, '1h': 3600, '1d': 86_400 } as const;
const HOUR_MS = 3_600_000;
/** From here on back there are hours only. */
const MINUTES_KEPT_MS = 48 * HOUR_MS;
const POINTS_WANTED = 300;

export interface SeriesQuery {
  readonly metrics: readonly string[];
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly step: Step;
}

export interface Series {
  readonly metric: string;
  readonly kind: 'counter' | 'gauge';
  readonly values: (number | null)[];
}

export interface TimeSeries {
  readonly from: Date;
  readonly to: Date;
  readonly stepSeconds: number;
  readonly series: Series[];
}

interface Point {
  readonly metric: string;
  readonly step: Date;
  readonly value: number;
}

const gauges: ReadonlySet<string> = new Set(GAUGES);

export async function readSeries(db: Database, query: SeriesQuery): Promise<TimeSeries> {
  const range = chooseRange(query, now());
  const counters = query.metrics.filter((metric) => !gauges.has(metric));
  const measured = query.metrics.filter((metric) => gauges.has(metric));
  const bounds = [range.from, range.to, range.stepSeconds];
  const [counted, averaged] = await Promise.all([
    counters.length === 0 ? undefined : db.query<Point>(readCounters, [...bounds, ...talliesOf(counters)]),
    measured.length === 0 ? undefined : db.query<Point>(readGauges, [...bounds, textArray(measured)]),
  ]);
  const points = [...(counted?.rows ?? []), ...(averaged?.rows ?? [])];
  const values = new Map(points.map(({ metric, step, value }) => [`${metric} ${step.getTime()}`, value]));
  const stepMs = range.stepSeconds * 1000;
  const length = (range.to.getTime() - range.from.getTime()) / stepMs;
  const series = query.metrics.map((metric): Series => {
    const isGauge = gauges.has(metric);
    const valueAt = (index: number): number | null =>
      values.get(`${metric} ${range.from.getTime() + index * stepMs}`) ?? (isGauge ? null : 0);
    return {
      metric,
      kind: isGauge ? 'gauge' : 'counter',
      values: Array.from({ length }, (_, index) => valueAt(index)),
    };
  });
  return { ...range, series };
}

type Range = Pick<TimeSeries, 'from' | 'to' | 'stepSeconds'>;

/** Whole steps that contain everything from `from` until `to`. */
export function chooseRange({ from, to, step }: Omit<SeriesQuery, 'metrics'>, at: Date): Range {
  const endMs = to?.getTime() ?? at.getTime();
  const startMs = from?.getTime() ?? endMs - HOUR_MS;
  if (startMs >= endMs) throw new ForagerError('invalid', '`from` must be before `to`.');
  const finest = startMs < at.getTime() - MINUTES_KEPT_MS ? STEP_SECONDS['1h'] : STEP_SECONDS['1m'];
  const stepSeconds = step === 'auto' ? coarseEnough(endMs - startMs, finest) : STEP_SECONDS[step];
  if (stepSeconds < finest) {
    throw new ForagerError(
      'invalid',
      'Minutes are kept for two days: for older figures steps are hours or days.',
      {
        hint: 'ask for step=1h, or leave the step out',
      },
    );
  }
  const stepMs = stepSeconds * 1000;
  const firstMs = Math.floor(startMs / stepMs) * stepMs;
  const lastMs = Math.ceil(endMs / stepMs) * stepMs;
  if ((lastMs - firstMs) / stepMs > MOST_POINTS) {
    throw new ForagerError('invalid', `That would be more than ${MOST_POINTS} points.`, {
      hint: 'ask for a shorter time or a longer step, or leave the step out',
    });
  }
  return { from: new Date(firstMs), to: new Date(lastMs), stepSeconds };
}

function coarseEnough(lengthMs: number, finest: number): number {
  const steps = Object.values(STEP_SECONDS).filter((seconds) => seconds >= finest);
  return steps.find((seconds) => lengthMs / 1000 / seconds <= POINTS_WANTED) ?? STEP_SECONDS['1d'];
}

/** For each metric the tallies it is the sum of, from the lowest to the highest. */
function talliesOf(metrics: readonly string[]): string[] {
  const ranges = metrics.map((metric): readonly [string, string] => {
    if (metric === 'robots_denials') return ['skip:robots', 'skip:robots'];
    const statusClass = /^status:(\d)xx$/.exec(metric)?.[1];
    return statusClass === undefined
      ? [metric, metric]
      : [`status:${statusClass}00`, `status:${statusClass}99`];
  });
  return [
    textArray(metrics),
    textArray(ranges.map(([lowest]) => lowest)),
    textArray(ranges.map(([, highest]) => highest)),
  ];
}
