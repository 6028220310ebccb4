/** Jobs over HTTP. */
import { z } from 'zod';
import { cancelJob, listJobs, readJob } from '../../contract/jobs.ts';
import { rowId } from '../../contract/values.ts';
import { cancelJob as cancel } from '../../control/jobs/cancel-job.ts';
import { listJobs as list, readJob as read } from '../../control/jobs/read-jobs.ts';
import { readCursor, toPage, writeCursor } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

const position = z.tuple([rowId]);

export function jobsRoutes({ db }: ServerParts): Route[] {
  return [
    route(listJobs, async ({ query }) => {
      const [before] = readCursor('jobs', position, query.cursor) ?? [];
      const rows = await list(db, query, before, query.limit + 1);
      return toPage(rows, query.limit, (last) => writeCursor('jobs', [last.id]));
    }),
    route(readJob, ({ params }) => read(db, params.id)),
    route(cancelJob, ({ params, principal, address, requestId }) =>
      cancel(db, params.id, { name: principal.actor, address, requestId }),
    ),
  ];
}
