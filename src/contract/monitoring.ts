/** How the crawl goes: health, figures, alerts, workers and runs. What happens as it happens is in live.ts. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import { MOST_METRICS, metricList, STEPS } from './series.ts';
import { domainStatus, idParams, time, timeInText } from './values.ts';

const monitoring = { method: 'GET', group: 'monitoring', allows: 'read' } as const;
const count = z.int().nonnegative();
const perSecond = z.number().nonnegative();
const share = z.number().min(0).max(1);
const counts = z.record(z.string(), count);

export const severity = z.enum(['warning', 'critical']).meta({ id: 'Severity' });

export const health = z
  .object({
    status: z
      .enum(['ok', 'degraded', 'down'])
      .describe('degraded: it works, and something needs looking after; down: without its database'),
    version: z.string(),
    uptimeSeconds: z.number(),
    database: z.object({
      status: z.enum(['up', 'down']),
      kind: z.enum(['embedded', 'external']),
      latencyMs: z.number().nullable(),
      schemaVersion: z.int().nullable(),
    }),
    services: z.object({
      redis: z
        .object({ status: z.enum(['up', 'down']) })
        .optional()
        .describe('Only where one is set up'),
      rabbitmq: z
        .object({ status: z.enum(['up', 'down']) })
        .optional()
        .describe('Only where one is set up; without it workers find tasks by looking'),
      workers: z.object({ active: count }).nullable(),
      schedulers: z
        .object({
          active: count,
          hasLeader: z
            .boolean()
            .describe('One of them leads: without, tasks and policies that are due wait, which is degraded'),
        })
        .nullable(),
      jobs: z.object({ queued: count, running: count }).nullable(),
    }),
    notes: z.array(z.string()).describe('What keeps it from being ok, a sentence each'),
  })
  .meta({ id: 'Health' });

export const getHealth = endpoint({
  ...{ ...monitoring, name: 'getHealth', path: '/health', allows: 'public', tier: 'probe' },
  summary: 'Whether the server and what it needs are well',
  description:
    'Answers within about two seconds, whatever has happened to the database: 200 when it is `ok` or ' +
    '`degraded`, 503 with the same body when it is `down`.',
  answer: health,
});

export const getMetrics = endpoint({
  ...{ ...monitoring, name: 'getMetrics', path: '/metrics', allows: 'public', tier: 'probe' },
  summary: 'Figures for Prometheus',
  description:
    'Counters come from the database and never go back, whichever process is restarted. Without its database ' +
    'the server gives the figures of its own process, and `forager_database_up 0`.',
  contentType: 'text/plain; version=0.0.4; charset=utf-8',
});

export const stats = z
  .object({
    asOf: time,
    totals: z
      .object({
        pages: count,
        fetches: count,
        errors: count.describe('Fetches that failed or were answered with 4xx or 5xx'),
        bytes: count.describe('As they came over the wire'),
        urls: count.describe('URLs found that were not known before'),
        robotsDenials: count,
        fetchMs: count.describe('Duration of all fetches together'),
      })
      .describe('Since ever'),
    successRate: share.nullable().describe('Of all fetches; null: there were none'),
    rates: z
      .object({
        seconds: z.number().describe('How long they were measured'),
        pagesPerSecond: perSecond,
        fetchesPerSecond: perSecond,
        errorsPerSecond: perSecond,
        bytesPerSecond: perSecond,
        urlsPerSecond: perSecond,
      })
      .describe('At the moment'),
    lastMinute: z.object({
      ...{ pages: count, fetches: count, errors: count, bytes: count, urls: count },
      pagesPerSecond: perSecond,
      successRate: share.nullable(),
    }),
    statusCodes: counts.describe('Answers by HTTP status'),
    outcomes: counts.describe('How fetches ended'),
    skipped: counts.describe('What was passed over, by reason'),
    refreshed: counts.describe('Known pages that were read again, by what was found'),
    taskOutcomes: counts.describe('What became of tasks that were worked on: completed, failed, retried'),
    frontier: z
      .object({
        size: count,
        due: count,
        waiting: count.describe('Failed, and waiting for another attempt'),
        asOf: time,
      })
      .nullable()
      .describe('URLs known and not read yet; null: not counted yet'),
    domains: z
      .object({
        ...{ pending: count, active: count, exhausted: count, blocked: count, unreachable: count },
        leased: count.describe('Being worked on'),
        asOf: time,
      })
      .nullable(),
    runs: z
      .object({ running: count, interrupted: count, finished: count, failed: count, asOf: time })
      .nullable(),
    tasks: z
      .object({
        ...{ pending: count, queued: count, crawling: count, downloaded: count, queued_parse: count },
        ...{ parsing: count, paused: count },
        locked: count.describe('In the hands of bots'),
        asOf: time,
      })
      .nullable()
      .describe('Tasks that are not over'),
    proxies: z
      .object({
        active: count,
        out: count.describe('For their failures; they are tried again by themselves'),
        disabled: count.describe('Switched off by a person'),
        waitingDomains: count.describe('Domains for which no proxy can be used just now'),
        asOf: time,
      })
      .nullable(),
    bots: z
      .object({
        active: count.describe('Have asked for work in the last ten minutes'),
        pendingJobs: count.describe('Jobs that wait for a bot, those of a later time among them'),
        lockedJobs: count.describe('Jobs in the hands of bots'),
        pulls: count.describe('Since ever, like all that follow'),
        jobs: count.describe('Handed out'),
        successes: count,
        failures: count,
        expired: count.describe('Not handed in in time'),
        asOf: time,
      })
      .nullable(),
    workers: z.object({
      active: count.describe('Heard of within two minutes'),
      inFlight: count.describe('Requests under way, as they said last'),
    }),
    alerts: z.object({ warning: count, critical: count }).describe('Not over yet'),
  })
  .meta({ id: 'Stats' });

export const getStats = endpoint({
  ...{ ...monitoring, name: 'getStats', path: '/api/stats', allows: 'public' },
  isShared: true,
  summary: 'The crawl in figures',
  description:
    'Read at most once a second. What takes long to count (`frontier`, `domains`, `runs`, `tasks`, `proxies`, `bots`) may be ' +
    'older: `asOf` says from when it is.',
  answer: stats,
});

export const timeSeries = z
  .object({
    from: time.describe('Begin of the first step'),
    to: time.describe('End of the last step'),
    stepSeconds: z.int(),
    series: z.array(
      z.object({
        metric: z.string(),
        kind: z.enum(['counter', 'gauge']),
        values: z
          .array(z.number().nullable())
          .describe(
            'One for each step. Counters: how many in it, 0 for none. Gauges: the average; null: not measured',
          ),
      }),
    ),
  })
  .meta({ id: 'TimeSeries' });

export const getTimeSeries = endpoint({
  ...{ ...monitoring, name: 'getTimeSeries', path: '/api/stats/timeseries' },
  summary: 'Figures over time, for charts',
  description:
    `Up to ${MOST_METRICS} metrics. Counters: pages, fetches, errors, bytes, urls, duration_ms, robots_denials, ` +
    'status:2xx (a class of status codes), status:404 (one of them), outcome:timeout (how a fetch ended). ' +
    'Gauges: frontier, workers, leases, domains:pending (and the other states), ' +
    'tasks:pending (and the other states of tasks that are not over). ' +
    'Single minutes are kept for two days, hours for 400. The last step is not over yet.',
  query: z.strictObject({
    metrics: metricList.prefault('pages,errors'),
    from: timeInText.optional().describe('Left out: an hour before `to`'),
    to: timeInText.optional().describe('Left out: now'),
    step: z
      .enum(STEPS)
      .default('auto')
      .describe('auto: the finest that is kept for that time and gives at most 300 points'),
  }),
  answer: timeSeries,
});

export const worker = z
  .object({
    id: z.string(),
    kind: z.enum(['worker', 'crawl']),
    duties: z
      .array(z.enum(['crawl', 'parse']))
      .describe('What it does with tasks: some only fetch and leave parsing to others, some only parse'),
    run: z.int().describe('The run it works for; 0 is the standing order'),
    host: z.string(),
    pid: z.int(),
    programVersion: z.string(),
    state: z
      .enum(['running', 'draining', 'stopped', 'dead'])
      .describe('dead: silent for two minutes without having stopped'),
    domainsHeld: count.describe('By the leases in the database, which count'),
    domainsSaid: count,
    inFlight: count,
    wanted: count.describe('Room for domains it has and cannot fill'),
    ...{ pages: count, fetches: count, errors: count, bytes: count },
    pagesPerSecond: perSecond.nullable().describe('Since it started'),
    heartbeatAgeSeconds: z.number(),
    ...{ heartbeatAt: time, startedAt: time, stoppedAt: time.nullable() },
  })
  .meta({ id: 'Worker' });

export const listWorkers = endpoint({
  ...{ ...monitoring, name: 'listWorkers', path: '/api/workers' },
  summary: 'Who works on the crawl',
  description:
    'All that have not stopped, and those that stopped within a day; at most 1,000, those at work first.',
  answer: z.object({
    items: z.array(worker),
    strangers: z
      .object({ holders: count, domains: count })
      .describe('Others that hold domains: crawls need not register'),
  }),
});

export const run = z
  .object({
    id: z.int(),
    status: z.enum(['running', 'interrupted', 'finished', 'failed']),
    endReason: z.string().nullable(),
    seeds: z.array(z.string()).describe('The first few'),
    ...{ pages: count, fetches: count, errors: count, bytes: count },
    activeMs: count.describe('How long it was worked on'),
    maxPages: count.nullable(),
    maxPagesPerDomain: count.nullable(),
    ...{ startedAt: time, updatedAt: time, finishedAt: time.nullable() },
  })
  .meta({ id: 'Run' });

export const listRuns = endpoint({
  ...{ ...monitoring, name: 'listRuns', path: '/api/runs' },
  summary: 'Crawls that somebody asked for, newest first',
  description:
    'What belongs to none of them is the standing order, which the figures of `/api/stats` contain.',
  query: z.strictObject({ ...pageQuery, status: run.shape.status.optional() }),
  answer: pageOf(run),
  problems: ['bad-cursor'],
});

export const runDetails = z
  .object({
    ...run.shape,
    ...{ statusCodes: counts, outcomes: counts, skipped: counts, refreshed: counts },
    domainCount: count,
    domains: z
      .array(
        z.object({
          ...{ domain: z.string(), status: domainStatus },
          ...{ pages: count, fetches: count, errors: count, bytes: count, discovered: count },
          reason: z.string().nullable().describe('Why it is not simply done'),
          code: z.string().nullable(),
          restingUntil: time.nullable(),
        }),
      )
      .describe('At most 30: those that need attention, then those with most pages'),
  })
  .meta({ id: 'RunDetails' });

export const getRun = endpoint({
  ...{ ...monitoring, name: 'getRun', path: '/api/runs/:id' },
  summary: 'One crawl: figures, outcomes and its domains',
  params: idParams,
  answer: runDetails,
  problems: ['unknown-run'],
});

export const alert = z
  .object({
    id: z.int(),
    code: z.string().describe('Of the rule: high-error-rate, frontier-backlog, worker-silent …'),
    subject: z.string().describe('What it is about, where there may be several: a worker; else empty'),
    severity,
    message: z.string(),
    hint: z.string().nullable(),
    raisedAt: time,
    lastSeenAt: time,
    acknowledgedAt: time.nullable(),
    acknowledgedBy: z.string().nullable(),
    resolvedAt: time.nullable().describe('Null: it is not over'),
  })
  .meta({ id: 'Alert' });

export const listAlerts = endpoint({
  ...{ ...monitoring, name: 'listAlerts', path: '/api/alerts' },
  summary: 'What needs attention, newest first',
  query: z.strictObject({
    ...pageQuery,
    state: z.enum(['open', 'all']).default('open').describe('open: those that are not over'),
    severity: severity.optional(),
  }),
  answer: pageOf(alert),
  problems: ['bad-cursor'],
});

export const acknowledgeAlert = endpoint({
  ...{ name: 'acknowledgeAlert', method: 'POST', path: '/api/alerts/:id/acknowledge' },
  ...{ group: 'monitoring', allows: 'manage' },
  summary: 'Say that somebody looks after an alert',
  description: 'It stays until its cause is gone. One that was acknowledged before stays as it is.',
  params: idParams,
  answer: alert,
  problems: ['unknown-alert', 'alert-over'],
});
