/** Bots as people see them, over HTTP. */
import { z } from 'zod';
import * as contract from '../../contract/bot-admin.ts';
import { rowId } from '../../contract/values.ts';
import * as bots from '../../control/bots/bots.ts';
import { releaseLock, revokeBot } from '../../control/bots/release-locks.ts';
import { actorOf } from '../actor-of.ts';
import { readCursor, toPage, writeCursor } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

const position = z.tuple([rowId]);

export function botAdminRoutes({ db }: ServerParts): Route[] {
  return [
    route(contract.listBots, async ({ query: { cursor, limit, isRevoked } }) => {
      const [below] = readCursor('bots', position, cursor) ?? [];
      const rows = await bots.listBots(db, isRevoked, below, limit + 1);
      const page = toPage(rows, limit, ({ id }) => writeCursor('bots', [id]));
      return { ...page, items: page.items.map(({ id: _id, ...bot }) => bot) };
    }),
    route(contract.createBot, async (call) => {
      const made = await bots.createBot(db, call.body, actorOf(call));
      call.reply.header('location', `/api/admin/bots/${encodeURIComponent(made.bot.botId)}`);
      return made;
    }),
    route(contract.getBot, ({ params }) => bots.readBotDetails(db, params.botId)),
    route(contract.changeBot, (call) => bots.changeBot(db, call.params.botId, call.body, actorOf(call))),
    route(contract.revokeBot, (call) => revokeBot(db, call.params.botId, actorOf(call))),
    route(contract.rotateBotKey, (call) =>
      bots.rotateBotKey(db, call.params.botId, call.body, actorOf(call)),
    ),
    route(contract.listBotJobs, async ({ params: { botId }, query: { cursor, limit } }) => {
      const list = `bot-jobs:${botId}`;
      const [after] = readCursor(list, position, cursor) ?? [];
      const rows = await bots.listHeldJobs(db, botId, after, limit + 1);
      return toPage(rows, limit, ({ taskId }) => writeCursor(list, [taskId]));
    }),
    route(contract.releaseLock, (call) => releaseLock(db, call.params.id, call.body.to, actorOf(call))),
  ];
}
