/** Pages over HTTP. */
import { z } from 'zod';
import { listPages, purgePages, readPage, readPageText } from '../../contract/pages.ts';
import { rowId } from '../../contract/values.ts';
import { listPages as list } from '../../control/pages/list-pages.ts';
import { orderPurge } from '../../control/pages/purge-pages.ts';
import { readPage as read } from '../../control/pages/read-page.ts';
import { readPageText as readText } from '../../control/pages/read-page-text.ts';
import { warcDirectory } from '../../control/pages/warc-directory.ts';
import { acceptJob } from '../accept-job.ts';
import { readCursor, toPage, writeCursor } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

const position = z.tuple([rowId]);

export function pagesRoutes(parts: ServerParts): Route[] {
  const { db } = parts;
  return [
    route(listPages, async ({ query }) => {
      const { cursor, limit, order, sort: _id, ...filter } = query;
      const name = `pages:${order}`;
      const [from] = readCursor(name, position, cursor) ?? [];
      const rows = await list(db, filter, order, from, limit + 1);
      return toPage(rows, limit, (last) => writeCursor(name, [last.id]));
    }),
    route(readPage, ({ params }) => read(db, params.id)),
    route(readPageText, ({ params }) => readText(db, warcDirectory(parts.config), params.id)),
    route(purgePages, async ({ query, principal, address, requestId, reply }) => {
      const { confirm, ...filter } = query;
      const order = { ...filter, isAllMeant: confirm === 'all' };
      const job = await orderPurge(db, order, { name: principal.actor, address, requestId });
      return acceptJob(parts, reply, job);
    }),
  ];
}
