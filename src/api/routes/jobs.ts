/** Jobs over HTTP. */
import { z } from 'zod';
import { cancelJob, listJobs, readJob } from '../../contract/jobs.ts';
import { rowId } from '../../contract/values.ts';
import { cancelJob as cancel } from '../../control/jobs/cancel-job.ts';
import { listJobs as list, readJob as read } from '../../control/jobs/read-jobs.ts';
import { actorOf } from '../actor-of.ts';
import { readCursor, toPage, writeCursor } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';
import { showJob } from '../show-job.ts';

const position = z.tuple([rowId]);

export function jobsRoutes({ db }: ServerParts): Route[] {
  return [
    route(listJobs, async ({ query }) => {
      const [before] = readCursor('jobs', position, query.cursor) ?? [];
      const rows = await list(db, query, before, query.limit + 1);
      return toPage(rows.map(showJob), query.limit, (last) => writeCursor('jobs', [last.id]));
    }),
    route(readJob, async ({ params }) => showJob(await read(db, params.id))),
    route(cancelJob, async (call) => showJob(await cancel(db, call.params.id, actorOf(call)))),
  ];
}
