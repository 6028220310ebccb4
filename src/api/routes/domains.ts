/** Domains over HTTP. */
import { z } from 'zod';
import * as contract from '../../contract/domains.ts';
import { changeSettings } from '../../control/domains/change-settings.ts';
import { createDomain } from '../../control/domains/create-domain.ts';
import { submitDeletion } from '../../control/domains/delete-domain.ts';
import { restAfterFence } from '../../control/domains/fence-domain.ts';
import { findDomain } from '../../control/domains/find-domain.ts';
import {
  type DomainFilter,
  pageDomainsByFigure,
  pageDomainsByName,
} from '../../control/domains/page-domains.ts';
import { type DomainDetails, readDomain } from '../../control/domains/read-domain.ts';
import { pageDomainEvents } from '../../control/domains/read-domain-events.ts';
import { readRobotsView } from '../../control/domains/read-robots-view.ts';
import { resetDomain } from '../../control/domains/reset-domain.ts';
import { activateDomain, deactivateDomain } from '../../control/domains/switch-domain.ts';
import { expectParser } from '../../control/parsers/expect-parser.ts';
import { acceptJob } from '../accept-job.ts';
import { actorOf } from '../actor-of.ts';
import { readCursor, toPage, writeCursor } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import { privateRuleOf, type ServerParts } from '../server-parts.ts';

const namePlace = z.tuple([z.string().max(300)]);
const eventPlace = z.tuple([z.int().positive()]);
/** A figure that is larger than any bigint would be refused by the database, not by us. */
const figurePlace = z.tuple([z.string().refine(isBigint), z.int().positive()]);

export function domainsRoutes(parts: ServerParts): Route[] {
  const { db, config, parsers } = parts;
  // Nothing of the settings is looked at before somebody asks.
  const restMs = (): number => restAfterFence(config.requestTimeoutMs);
  return [
    route(contract.listDomains, async ({ query: { cursor, limit, sort, order, ...filter } }) => {
      const list = `domains:${sort}:${order}`;
      if (sort === 'domain') return pageByName(filter, order, limit, list, cursor);
      const [figure, id] = readCursor(list, figurePlace, cursor) ?? [];
      const after = figure === undefined || id === undefined ? undefined : { figure, id };
      const rows = await pageDomainsByFigure(db, filter, sort, order, after, limit + 1);
      const page = toPage(rows, limit, (last) => writeCursor(list, [last.figure, last.id]));
      return { ...page, items: page.items.map(({ figure: _figure, ...shown }) => shown) };
    }),
    route(contract.getDomain, async ({ params }) => showDomain(await readDomain(db, params.domain))),
    route(contract.getDomainRobots, ({ params, query }) =>
      readRobotsView(db, params.domain, query, config.userAgent),
    ),
    route(contract.listDomainEvents, async ({ params, query: { cursor, limit } }) => {
      const { id } = await findDomain(db, params.domain);
      const list = `domain-events:${id}`;
      const [before] = readCursor(list, eventPlace, cursor) ?? [];
      const rows = await pageDomainEvents(db, id, before, limit + 1);
      const page = toPage(rows, limit, (last) => writeCursor(list, [last.id]));
      return { ...page, items: page.items.map(({ id: _id, ...shown }) => shown) };
    }),
    route(contract.createDomain, async (call) => {
      const { domain: text, isActive, ...settings } = call.body;
      expectParser(settings, parsers);
      const allowPrivate = privateRuleOf(parts);
      const given = { text, isActive, settings, allowPrivate, source: 'api' };
      const created = await createDomain(db, given, actorOf(call));
      call.reply.header('location', `/api/domains/${encodeURIComponent(created.domain)}`);
      return showDomain(created);
    }),
    route(contract.updateDomain, async (call) => {
      expectParser(call.body, parsers);
      return showDomain(await changeSettings(db, call.params.domain, call.body, actorOf(call)));
    }),
    route(contract.activateDomain, (call) => activateDomain(db, call.params.domain, actorOf(call))),
    route(contract.deactivateDomain, (call) =>
      deactivateDomain(db, call.params.domain, restMs(), actorOf(call)),
    ),
    route(contract.pauseDomain, (call) => deactivateDomain(db, call.params.domain, restMs(), actorOf(call))),
    route(contract.resumeDomain, (call) => activateDomain(db, call.params.domain, actorOf(call))),
    route(contract.resetDomain, (call) => {
      const { recrawl, reason } = call.body;
      const actor = actorOf(call);
      const { requestTimeoutMs } = config;
      const options = { recrawl, reason, actor: actor.name, auditedAs: actor, requestTimeoutMs };
      return resetDomain(db, call.params.domain, options);
    }),
    route(contract.deleteDomain, async (call) => {
      const job = await submitDeletion(db, call.params.domain, restMs(), actorOf(call));
      return acceptJob(parts, call.reply, job);
    }),
  ];

  async function pageByName(
    filter: DomainFilter,
    order: 'asc' | 'desc',
    limit: number,
    list: string,
    cursor: string | undefined,
  ) {
    const [after] = readCursor(list, namePlace, cursor) ?? [];
    const rows = await pageDomainsByName(db, filter, order, after, limit + 1);
    return toPage(rows, limit, (last) => writeCursor(list, [last.domain]));
  }
}

/** The interval as the database writes it is for people at a terminal. */
function showDomain<D extends DomainDetails>({ crawlFrequency: _text, ...shown }: D) {
  return shown;
}

function isBigint(text: string): boolean {
  if (!/^-?\d{1,19}$/.test(text)) return false;
  const value = BigInt(text);
  return value === BigInt.asIntN(64, value);
}
