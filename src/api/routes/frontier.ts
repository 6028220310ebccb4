/** The frontier over HTTP. */
import { z } from 'zod';
import {
  addUrls,
  clearFrontier,
  frontierStats,
  listFrontierUrls,
  recoverFrontier,
  seedUrls,
} from '../../contract/frontier.ts';
import { restAfterFence } from '../../control/domains/fence-domain.ts';
import { findDomain } from '../../control/domains/find-domain.ts';
import { submitClearing } from '../../control/frontier/clear-frontier.ts';
import { keepFrontierFigures } from '../../control/frontier/frontier-figures.ts';
import { listUrls, type UrlLine, type UrlPlace } from '../../control/frontier/list-urls.ts';
import { recoverFrontier as recover } from '../../control/frontier/recover-frontier.ts';
import { type SubmitReport, submitUrls } from '../../control/frontier/submit-urls.ts';
import { acceptJob } from '../accept-job.ts';
import { actorOf } from '../actor-of.ts';
import { readCursor, toPage, writeCursor } from '../cursor.ts';
import { Refusal } from '../refusal.ts';
import { type Route, route } from '../route.ts';
import { privateRuleOf, type ServerParts } from '../server-parts.ts';

const MOST_ERRORS = 20;
const SEED_PRIORITY = 3;

export function frontierRoutes(parts: ServerParts): Route[] {
  const { db, slowDb, config } = parts;
  const readFigures = keepFrontierFigures(slowDb);
  return [
    route(frontierStats, () => readFigures()),
    route(listFrontierUrls, async ({ query }) => {
      const { domain, state, priority, depth, limit } = query;
      const list = `urls:${state}`;
      const after = readPlace(list, query.cursor);
      const domainId = domain === undefined ? undefined : (await findDomain(db, domain)).id;
      const rows = await listUrls(db, { domainId, state, priority, depth }, after, limit + 1);
      const page = toPage(rows, limit, (last) => writeCursor(list, placeOf(last)));
      return { ...page, items: page.items.map(showUrl) };
    }),
    route(addUrls, async (call) => {
      const { priority } = call.body;
      const urls = call.body.urls.map((item) =>
        typeof item === 'string'
          ? { url: item, priority, depth: 0 }
          : { url: item.url, priority: item.priority ?? priority, depth: item.depth ?? 0 },
      );
      const allowPrivate = privateRuleOf(parts);
      const origin = { source: 'api', maxPagesPerRun: undefined };
      return expectSome(await submitUrls(db, { urls, isSeed: false, origin, allowPrivate }, actorOf(call)));
    }),
    route(seedUrls, async (call) => {
      const { maxPagesPerRun, rank } = call.body;
      const urls = call.body.urls.map((url) => ({ url, priority: SEED_PRIORITY, depth: 0 }));
      const allowPrivate = privateRuleOf(parts);
      const origin = { source: 'api', maxPagesPerRun };
      return expectSome(
        await submitUrls(db, { urls, isSeed: true, rank, origin, allowPrivate }, actorOf(call)),
      );
    }),
    route(recoverFrontier, (call) => recover(db, call.body.staleSeconds, actorOf(call))),
    route(clearFrontier, async (call) => {
      const { domain, state, confirm } = call.query;
      const restMs = restAfterFence(config.requestTimeoutMs);
      const order = { domain, state, isAllMeant: confirm === 'all', restMs };
      return acceptJob(parts, call.reply, await submitClearing(db, order, actorOf(call)));
    }),
  ];
}

/** Where a page ended: what the orders of the list need. */
const place = z.tuple([
  z.int().min(0),
  z.string().regex(/^[0-9a-f]{0,128}$/),
  z.int().min(1).max(3),
  z.int().min(0).max(32_767),
  z.int(),
  z.int().nullable(),
]);

function readPlace(list: string, cursor: string | undefined): UrlPlace | undefined {
  const position = readCursor(list, place, cursor);
  if (position === undefined) return undefined;
  const [domainId, hash, priority, depth, foundAt, triedAt] = position;
  return { domainId, hash: Buffer.from(hash, 'hex'), priority, depth, foundAt, triedAt };
}

function placeOf({ domainId, hash, priority, depth, foundAt, triedAt }: UrlLine): unknown[] {
  return [domainId, hash.toString('hex'), priority, depth, foundAt, triedAt];
}

function showUrl({ domainId: _id, hash: _hash, foundAt: _found, triedAt: _tried, ...shown }: UrlLine) {
  return shown;
}

/** Whoever names nothing that can be crawled has made a mistake, and is told where. */
function expectSome(report: SubmitReport): SubmitReport {
  if (report.accepted > 0) return report;
  const errors = report.refused
    .slice(0, MOST_ERRORS)
    .map(({ index, reason }) => ({ path: `body.urls.${index}`, message: reason }));
  throw new Refusal('nothing-accepted', `None of ${report.refusedCount} URLs can be crawled.`, { errors });
}
