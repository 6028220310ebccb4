/** What went wrong, over HTTP. */
import { z } from 'zod';
import * as contract from '../../contract/errors.ts';
import { rowId } from '../../contract/values.ts';
import { countErrors } from '../../control/errors/count-errors.ts';
import { listErrors } from '../../control/errors/list-errors.ts';
import { momentInCursor, readCursor, toPage, writeCursor } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

const position = z.tuple([momentInCursor, rowId]);

export function errorsRoutes({ db }: ServerParts): Route[] {
  return [
    route(contract.listErrors, async ({ query: { cursor, limit, ...filter } }) => {
      const [atText, id] = readCursor('errors', position, cursor) ?? [];
      const before = atText === undefined || id === undefined ? undefined : { atText, id };
      const rows = await listErrors(db, filter, before, limit + 1);
      const page = toPage(rows, limit, (last) => writeCursor('errors', [last.atText, last.id]));
      return { ...page, items: page.items.map(({ atText: _atText, ...shown }) => shown) };
    }),
    route(contract.getErrorStats, ({ query }) => countErrors(db, query)),
  ];
}
