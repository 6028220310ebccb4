/** Policies over HTTP. */
import { z } from 'zod';
import * as contract from '../../contract/policies.ts';
import { rowId } from '../../contract/values.ts';
import { changePolicy, removePolicy, switchPolicy } from '../../control/policies/change-policy.ts';
import { createPolicy } from '../../control/policies/create-policy.ts';
import { listPolicies, listPoliciesByNextRun } from '../../control/policies/list-policies.ts';
import { readPolicy } from '../../control/policies/policy.ts';
import { runPolicy } from '../../control/policies/run-policy.ts';
import { actorOf } from '../actor-of.ts';
import { momentInCursor, readCursor, toPage, writeCursor } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import { privateRuleOf, type ServerParts } from '../server-parts.ts';

const numberPlace = z.tuple([rowId]);
const timePlace = z.tuple([momentInCursor, rowId]);

export function policiesRoutes(parts: ServerParts): Route[] {
  const { db, config } = parts;
  return [
    route(contract.createPolicy, async (call) => {
      const rules = { unknownDomains: config.unknownDomains, allowPrivate: privateRuleOf(parts) };
      const created = await createPolicy(db, call.body, rules, actorOf(call));
      call.reply.header('location', `/api/admin/policies/${created.id}`);
      return created;
    }),
    route(contract.listPolicies, async ({ query: { cursor, limit, sort, order, ...filter } }) => {
      const list = `policies:${sort}:${order}`;
      if (sort === 'id') {
        const [after] = readCursor(list, numberPlace, cursor) ?? [];
        const rows = await listPolicies(db, filter, order, after, limit + 1);
        return toPage(rows, limit, (last) => writeCursor(list, [last.id]));
      }
      const [place, id] = readCursor(list, timePlace, cursor) ?? [];
      const after = place === undefined || id === undefined ? undefined : { place, id };
      const rows = await listPoliciesByNextRun(db, filter, order, after, limit + 1);
      const page = toPage(rows, limit, (last) => writeCursor(list, [last.place, last.id]));
      return { ...page, items: page.items.map(({ place: _place, ...shown }) => shown) };
    }),
    route(contract.getPolicy, ({ params }) => readPolicy(db, params.id)),
    route(contract.changePolicy, (call) => changePolicy(db, call.params.id, call.body, actorOf(call))),
    route(contract.deletePolicy, async (call) => {
      await removePolicy(db, call.params.id, actorOf(call));
    }),
    route(contract.enablePolicy, (call) => switchPolicy(db, call.params.id, true, actorOf(call))),
    route(contract.disablePolicy, (call) => switchPolicy(db, call.params.id, false, actorOf(call))),
    route(contract.runPolicy, (call) => runPolicy(db, call.params.id, actorOf(call))),
  ];
}
