/** Proxies and pools over HTTP. */
import { Readable } from 'node:stream';
import { z } from 'zod';
import * as contract from '../../contract/proxies.ts';
import { rowId } from '../../contract/values.ts';
import { findDomain } from '../../control/domains/find-domain.ts';
import * as pools from '../../control/proxies/assign-proxies.ts';
import { changeProxy, deleteProxy } from '../../control/proxies/change-proxy.ts';
import { checkProxy, openCheckFetcher } from '../../control/proxies/check-proxy.ts';
import { createProxy, type ProxyRules } from '../../control/proxies/create-proxy.ts';
import { CONTENT_TYPES, exportProxies } from '../../control/proxies/export-proxies.ts';
import { collectImport } from '../../control/proxies/import-report.ts';
import { listPool, listPoolHealth } from '../../control/proxies/pool.ts';
import { sizePool } from '../../control/proxies/pool-sizing.ts';
import { listProxies, readProxy } from '../../control/proxies/proxy.ts';
import { openBox } from '../../control/secrets/open-box.ts';
import { actorOf } from '../actor-of.ts';
import { readCursor, toPage, writeCursor } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

const position = z.tuple([rowId]);
const poolPosition = z.tuple([z.int().min(0).max(32_767), rowId]);

export function proxiesRoutes(parts: ServerParts): Route[] {
  // Places that are words come before those that are numbers.
  return [...manyRoutes(parts), ...ownRoutes(parts), ...poolRoutes(parts)];
}

async function rulesOf({ db, config }: ServerParts): Promise<ProxyRules> {
  return { box: await openBox(db, config), allowPrivate: config.allowPrivate || config.privateProxies };
}

function ownRoutes(parts: ServerParts): Route[] {
  const { db, config } = parts;
  return [
    route(contract.listProxies, async ({ query: { cursor, limit, ...filter } }) => {
      const [below] = readCursor('proxies', position, cursor) ?? [];
      const rows = await listProxies(db, filter, below, limit + 1);
      return toPage(rows, limit, ({ id }) => writeCursor('proxies', [id]));
    }),
    route(contract.createProxy, async (call) => {
      const made = await createProxy(db, call.body, await rulesOf(parts), actorOf(call));
      call.reply.header('location', `/api/admin/proxies/${made.id}`);
      return made;
    }),
    route(contract.getProxy, ({ params }) => readProxy(db, params.id)),
    route(contract.changeProxy, async (call) => {
      const isConfirmed = call.query.confirm === true;
      return changeProxy(db, call.params.id, call.body, await rulesOf(parts), actorOf(call), isConfirmed);
    }),
    route(contract.deleteProxy, (call) =>
      deleteProxy(db, call.params.id, call.query.confirm === true, actorOf(call)),
    ),
    route(contract.enableProxy, (call) =>
      changeProxy(db, call.params.id, { isActive: true }, undefined, actorOf(call)),
    ),
    route(contract.disableProxy, (call) =>
      changeProxy(db, call.params.id, { isActive: false }, undefined, actorOf(call)),
    ),
    route(contract.checkProxy, async (call) => {
      const fetcher = openCheckFetcher(config);
      try {
        const tools = { settings: config, fetcher, box: await openBox(db, config) };
        return await checkProxy(db, call.params.id, call.body.url, tools, actorOf(call));
      } finally {
        await fetcher.close();
      }
    }),
  ];
}

function manyRoutes(parts: ServerParts): Route[] {
  const { db } = parts;
  return [
    route(contract.importProxies, async (call) => {
      const { text, lines, ...options } = call.body;
      return collectImport(db, text ?? lines ?? [], options, await rulesOf(parts), actorOf(call));
    }),
    route(contract.exportProxies, async ({ query: { format, ...filter }, request, reply }) => {
      reply.type(CONTENT_TYPES[format]);
      if (request.method === 'HEAD') return reply.send('');
      return reply.send(Readable.from(exportProxies(db, filter, format)));
    }),
    route(contract.listProxyHealth, async ({ query: { cursor, limit } }) => {
      const [beyond] = readCursor('proxy-health', position, cursor) ?? [];
      const rows = await listPoolHealth(db, beyond, limit + 1);
      const page = toPage(rows, limit, ({ id }) => writeCursor('proxy-health', [id]));
      return { ...page, items: page.items.map(({ id: _, ...health }) => health) };
    }),
  ];
}

function poolRoutes({ db, config }: ServerParts): Route[] {
  return [
    route(contract.listPool, async ({ params, query: { cursor, limit, isAssigned } }) => {
      const { id } = await findDomain(db, params.domain);
      const list = `pool:${id}`;
      const place = readCursor(list, poolPosition, cursor);
      const beyond = place === undefined ? undefined : { priority: place[0], proxyId: place[1] };
      const rows = await listPool(db, id, isAssigned, beyond, limit + 1);
      return toPage(rows, limit, ({ priority, proxyId }) => writeCursor(list, [priority, proxyId]));
    }),
    route(contract.assignProxies, (call) => {
      const { proxyId, proxyIds = [], ...assignment } = call.body;
      const ids = proxyId === undefined ? proxyIds : [proxyId];
      return pools.assignProxies(db, call.params.domain, ids, assignment, actorOf(call));
    }),
    route(contract.changePair, (call) =>
      pools.changePair(db, call.params.domain, call.params.id, call.body, actorOf(call)),
    ),
    route(contract.unassignProxy, ({ params, query, ...call }) =>
      pools.unassignProxy(db, params.domain, params.id, query.confirm === true, actorOf(call)),
    ),
    route(contract.resetPool, (call) => pools.resetPool(db, call.params.domain, undefined, actorOf(call))),
    route(contract.resetPair, (call) =>
      pools.resetPool(db, call.params.domain, call.params.id, actorOf(call)),
    ),
    route(contract.getSizing, ({ params, query }) => sizePool(db, params.domain, query, config.delayMs)),
  ];
}
