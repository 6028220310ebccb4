/** What can be shown over time, and how finely. */
import { z } from 'zod';

export const STEPS = ['auto', '1m', '5m', '1h', '1d'] as const;
export type Step = (typeof STEPS)[number];

export const MOST_METRICS = 20;
export const MOST_POINTS = 1500;

export const COUNTERS = [
  'pages',
  'fetches',
  'errors',
  'bytes',
  'urls',
  'duration_ms',
  'robots_denials',
] as const;
export const GAUGES = [
  ...['frontier', 'workers', 'leases', 'domains:pending', 'domains:active', 'domains:exhausted'],
  ...['domains:blocked', 'domains:unreachable'],
  ...['tasks:pending', 'tasks:queued', 'tasks:crawling', 'tasks:downloaded', 'tasks:queued_parse'],
  ...['tasks:parsing', 'tasks:paused', 'tasks:locked'],
] as const;
/** How a fetch can end, as far as there is a fetch. */
export const OUTCOMES = [
  ...['page', 'image', 'image-refused'],
  ...['not-modified', 'redirect', 'redirect-loop', 'unwanted-type', 'gone', 'refused'],
  ...['client-error', 'throttled', 'server-error', 'timeout', 'connection-lost', 'unreachable'],
  ...['tls-failed', 'bad-response', 'too-large', 'private-address', 'aborted'],
] as const;

const NAMES: ReadonlySet<string> = new Set([
  ...COUNTERS,
  ...GAUGES,
  ...OUTCOMES.map((outcome) => `outcome:${outcome}`),
]);
const STATUS = /^status:[1-5](?:xx|\d\d)$/;

export function isMetric(name: string): boolean {
  return NAMES.has(name) || STATUS.test(name);
}

/** For people: of outcomes and statuses there are too many to name each. */
export const METRIC_NAMES = [
  ...COUNTERS,
  ...GAUGES,
  'outcome:page and other endings of a fetch',
  'status:404, status:4xx and so on',
].join(', ');

export const metricList = z
  .string()
  .max(1000)
  .transform((text) => [...new Set(text.split(','))])
  .pipe(
    z
      .array(z.string().refine(isMetric, `There is no such metric; there are ${METRIC_NAMES}`))
      .min(1)
      .max(MOST_METRICS),
  )
  .describe('Separated by commas');
