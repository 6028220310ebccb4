/** Batches over HTTP. */
import { z } from 'zod';
import * as contract from '../../contract/batches.ts';
import { MOST_COUNTED } from '../../contract/task-shapes.ts';
import type { Actor } from '../../control/access/actor.ts';
import { type BatchAction, type BatchMoveLimits, moveBatch } from '../../control/batches/move-batch.ts';
import { createBatch, listBatches, readBatch } from '../../control/batches/read-batches.ts';
import { actorOf } from '../actor-of.ts';
import { readCursor, toPage, writeCursor } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';
import { MOVE_MS } from './tasks.ts';

const place = z.tuple([z.int().positive()]);

export function batchesRoutes({ db, slowDb }: ServerParts): Route[] {
  const move = (which: string, action: BatchAction, actor: Actor, limits: BatchMoveLimits = {}) =>
    moveBatch(db, which, action, actor, { ...limits, timeMs: MOVE_MS });
  return [
    route(contract.listBatches, async ({ query: { cursor, limit, search } }) => {
      const [below] = readCursor('batches', place, cursor) ?? [];
      const rows = await listBatches(db, search, below, limit + 1);
      return toPage(rows, limit, (last) => writeCursor('batches', [last.id]));
    }),
    route(contract.createBatch, async (call) => {
      const created = await createBatch(db, call.body.name, actorOf(call));
      call.reply.header('location', `/api/admin/batches/${created.id}`);
      return created;
    }),
    route(contract.getBatch, ({ params }) => readBatch(slowDb, params.batch, MOST_COUNTED)),
    route(contract.pauseBatch, (call) => move(call.params.batch, 'pause', actorOf(call))),
    route(contract.resumeBatch, (call) => move(call.params.batch, 'resume', actorOf(call))),
    route(contract.cancelBatch, (call) => move(call.params.batch, 'cancel', actorOf(call))),
    route(contract.restartBatch, (call) => move(call.params.batch, 'restart', actorOf(call), call.body)),
  ];
}
