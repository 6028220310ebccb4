/** Work that was given up, over HTTP. */
import { z } from 'zod';
import * as contract from '../../contract/dead-letters.ts';
import { rowId } from '../../contract/values.ts';
import { listDeadLetters } from '../../control/dead-letters/list-dead-letters.ts';
import { requeueDeadLetter, requeueDeadLetters } from '../../control/dead-letters/requeue.ts';
import { actorOf } from '../actor-of.ts';
import { readCursor, toPage, writeCursor } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

const position = z.tuple([rowId]);

export function deadLettersRoutes({ db }: ServerParts): Route[] {
  return [
    route(contract.listDeadLetters, async ({ query: { cursor, limit, ...filter } }) => {
      const [below] = readCursor('dead-letters', position, cursor) ?? [];
      const rows = await listDeadLetters(db, filter, below, limit + 1);
      return toPage(rows, limit, ({ id }) => writeCursor('dead-letters', [id]));
    }),
    route(contract.requeueDeadLetters, (call) => {
      const { queue, domain, limit, dryRun } = call.body;
      return requeueDeadLetters(db, { queue, domain, limit, dryRun }, actorOf(call));
    }),
    route(contract.requeueDeadLetter, (call) => requeueDeadLetter(db, call.params.id, actorOf(call))),
  ];
}
