/** How the crawl goes, over HTTP. */
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import {
  acknowledgeAlert,
  getHealth,
  getMetrics,
  getRun,
  getStats,
  getTimeSeries,
  listAlerts,
  listRuns,
  listWorkers,
} from '../../contract/monitoring.ts';
import { rowId } from '../../contract/values.ts';
import { acknowledgeAlert as acknowledge } from '../../control/alerts/acknowledge-alert.ts';
import { listAlerts as readAlerts } from '../../control/alerts/list-alerts.ts';
import { readRunDetails, listRuns as readRuns } from '../../control/runs/list-runs.ts';
import { readSeries } from '../../control/stats/series.ts';
import { readStrangers, listWorkers as readWorkers } from '../../control/workers/list-workers.ts';
import { readCursor, toPage, writeCursor } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

const MOST_WORKERS = 1000;
const belowRow = z.tuple([rowId]);

export function monitoringRoutes(parts: ServerParts): Route[] {
  const { db } = parts;
  return [
    route(getHealth, async ({ reply }) => {
      const { health, json } = await parts.health.read();
      return sendJson(reply.status(health.status === 'down' ? 503 : 200), json);
    }),
    route(getMetrics, async ({ reply }) => {
      return reply.type(getMetrics.contentType ?? '').send(await parts.metrics.read());
    }),
    route(getStats, async ({ reply }) => sendJson(reply, (await parts.figures.read()).json)),
    route(getTimeSeries, async ({ query }) =>
      readSeries(db, { metrics: query.metrics, from: query.from, to: query.to, step: query.step }),
    ),
    route(listWorkers, async () => {
      const [workers, strangers] = await Promise.all([readWorkers(db), readStrangers(db)]);
      return { items: workers.slice(0, MOST_WORKERS), strangers };
    }),
    route(listRuns, async ({ query }) => {
      const [below] = readCursor('runs', belowRow, query.cursor) ?? [];
      const rows = await readRuns(db, { below, status: query.status }, query.limit + 1);
      return toPage(rows, query.limit, ({ id }) => writeCursor('runs', [id]));
    }),
    route(getRun, async ({ params }) => readRunDetails(db, params.id)),
    route(listAlerts, async ({ query }) => {
      const [below] = readCursor('alerts', belowRow, query.cursor) ?? [];
      const filter = { below, isOpen: query.state === 'open', severity: query.severity };
      const rows = await readAlerts(db, filter, query.limit + 1);
      return toPage(rows, query.limit, ({ id }) => writeCursor('alerts', [id]));
    }),
    route(acknowledgeAlert, async ({ params, principal, address, requestId }) =>
      acknowledge(db, params.id, { name: principal.actor, address, requestId }),
    ),
  ];
}

/** What was turned into JSON before, once for all who ask. */
function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json);
}
