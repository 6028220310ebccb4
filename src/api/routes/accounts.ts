/** Users, everybody's keys and the audit log over HTTP. */
import { z } from 'zod';
import {
  changeUser,
  createBotKey,
  createUser,
  deleteUser,
  getUser,
  listAudit,
  listKeys,
  listUsers,
  resetPassword,
  revokeKey,
  unlockUser,
} from '../../contract/accounts.ts';
import { rowId } from '../../contract/values.ts';
import { listAudit as readAudit } from '../../control/access/audit.ts';
import {
  createBotKey as addBotKey,
  revokeKey as endKey,
  listKeys as readKeys,
} from '../../control/access/keys.ts';
import { resetPassword as giveNewPassword } from '../../control/access/reset-password.ts';
import * as users from '../../control/access/users.ts';
import { actorOf } from '../actor-of.ts';
import { momentInCursor, readCursor, toPage, writeCursor } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

const userPosition = z.tuple([z.string().max(100)]);
const keyPosition = z.tuple([rowId]);
const auditPosition = z.tuple([momentInCursor, rowId]);

export function accountsRoutes({ db }: ServerParts): Route[] {
  return [
    route(listUsers, async ({ query }) => {
      const [after] = readCursor('users', userPosition, query.cursor) ?? [];
      const rows = await users.listUsers(db, after, query.limit + 1);
      return toPage(rows, query.limit, (last) => writeCursor('users', [last.username]));
    }),
    route(createUser, async (call) => {
      const made = await users.createUser(db, call.body, actorOf(call));
      call.reply.header('location', `/api/admin/users/${encodeURIComponent(made.user.username)}`);
      return made;
    }),
    route(getUser, async ({ params }) => users.readUser(db, params.username)),
    route(changeUser, async (call) => users.changeUser(db, call.params.username, call.body, actorOf(call))),
    route(deleteUser, async (call) => users.deleteUser(db, call.params.username, actorOf(call))),
    route(resetPassword, async (call) => {
      const reset = await giveNewPassword(db, call.params.username, call.body, actorOf(call));
      const { username, password, passwordExpiresAt, endedSessions } = reset;
      if (password === null || passwordExpiresAt === null) throw new Error('no password was generated');
      return { username, password, passwordExpiresAt, endedSessions };
    }),
    route(unlockUser, async (call) => {
      await users.unlockUser(db, call.params.username, actorOf(call));
    }),
    route(listKeys, async ({ query }) => {
      const [before] = readCursor('keys', keyPosition, query.cursor) ?? [];
      const rows = await readKeys(db, query, before, query.limit + 1);
      return toPage(rows, query.limit, (last) => writeCursor('keys', [last.id]));
    }),
    route(createBotKey, async (call) => {
      const made = await addBotKey(db, call.body, actorOf(call));
      call.reply.header('location', `/api/admin/keys/${made.key.id}`);
      return made;
    }),
    route(revokeKey, async (call) => endKey(db, call.params.id, 'anybody', actorOf(call))),
    route(listAudit, async ({ query }) => {
      const [atText, id] = readCursor('audit', auditPosition, query.cursor) ?? [];
      const before = atText === undefined || id === undefined ? undefined : { atText, id };
      const rows = await readAudit(db, query, before, query.limit + 1);
      const page = toPage(rows, query.limit, (last) => writeCursor('audit', [last.atText, last.id]));
      return { ...page, items: page.items.map(({ atText: _atText, ...entry }) => entry) };
    }),
  ];
}
