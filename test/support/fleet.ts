/** Real worker processes on one database, and the web they crawl. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Queryable } from '../../src/platform/database.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage, type SiteDefinition } from '../origin/site.ts';
import { type CrawlProcess, type ProcessEnd, startProgram } from './crawl-process.ts';

/** The one database and directory that a fleet works in. */
export interface FleetPlace {
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** Settings of every process of it. */
  readonly env?: Readonly<Record<string, string>>;
}

const COMMON = {
  FORAGER_READ_SITEMAPS: 'false',
  FORAGER_DATABASE_POOL_SIZE: '4',
  FORAGER_KEEP_BODIES: 'false',
};

export function startWorker(
  place: FleetPlace,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): CrawlProcess {
  return startProgram(['worker', '--allow-private', ...args], {
    ...place,
    env: { ...COMMON, ...place.env, ...env },
  });
}

/** `forager seed`, by a list in a file. */
export async function seedFleet(place: FleetPlace, sites: readonly string[]): Promise<void> {
  const file = path.join(place.dataDir, `seeds-${sites.length}-${performance.now()}.txt`);
  await writeFile(file, `${sites.join('\n')}\n`);
  const end = await startProgram(['seed', '--allow-private', '--file', file], place).ended;
  expect(end, end.stderr).toMatchObject({ code: 0 });
}

/** All of them ended by themselves, and well. */
export async function expectGoodEnds(workers: readonly CrawlProcess[]): Promise<ProcessEnd[]> {
  const ends = await Promise.all(workers.map(({ ended }) => ended));
  for (const end of ends) expect(end, end.stderr).toMatchObject({ code: 0, signal: null });
  return ends;
}

export const fleetPath = (index: number): string => (index === 0 ? '/' : `/page/${index}`);

export function fleetUrls(origin: Origin, sites: readonly string[], pages: number): string[] {
  const indexes = Array.from({ length: pages }, (_, n) => n);
  return sites.flatMap((site) => indexes.map((n) => origin.hostUrl(site, fleetPath(n)))).sort();
}

export interface FleetSite {
  readonly pages: number;
  /** Before each answer. */
  readonly answerMs?: number;
  /** Nothing but the front page and robots.txt is answered before this is over. */
  readonly until?: () => Promise<void>;
}

/** Pages in a tree of width three, linked in turn by path and by an address that spells the host in capitals. */
export function fleetSite({ pages, answerMs = 0, until }: FleetSite): SiteDefinition {
  const render = (index: number, host: string): string => {
    const children = [1, 2, 3].map((child) => index * 3 + child).filter((child) => child < pages);
    const links = [...children, index === 0 ? 0 : index - 1].map((target) =>
      target % 2 === 0 ? fleetPath(target) : `http://${host.toUpperCase()}${fleetPath(target)}`,
    );
    return htmlPage(`Page ${index}`, links, `Page ${index} of ${host} is one of ${pages}.`);
  };
  return {
    pages: {
      '/*': async ({ request, response, url }) => {
        const index = url.pathname === '/' ? 0 : Number(/^\/page\/(\d+)$/.exec(url.pathname)?.[1] ?? pages);
        if (index > 0 && index < pages) await until?.();
        if (answerMs > 0) await new Promise((resolve) => setTimeout(resolve, answerMs));
        response.writeHead(index < pages ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
        response.end(index < pages ? render(index, request.headers.host ?? '') : htmlPage('Not found'));
      },
    },
  };
}

/** Page requests of one site, in the order in which they came. */
export function pagesAsked(origin: Origin, site: string): string[] {
  return origin.requestsTo(site).flatMap(({ path: asked }) => (asked === '/robots.txt' ? [] : [asked]));
}

/** What of these sites was asked for more than once, robots.txt included. */
export function askedTwice(origin: Origin, sites: readonly string[]): string[] {
  const wanted = new Set(sites);
  const seen = new Set<string>();
  return origin.requests
    .filter(({ site }) => wanted.has(site))
    .map(({ site, path: asked }) => `${site}${asked}`)
    .filter((url) => seen.has(url) || !seen.add(url));
}

export interface WorkerRow {
  readonly id: string;
  readonly state: string;
  readonly domains_count: number;
  readonly pages_count: number;
  readonly pid: number;
}

export async function readWorkers(db: Queryable): Promise<WorkerRow[]> {
  const { rows } = await db.query<WorkerRow>(
    'select id, state, domains_count, pages_count::int as pages_count, pid from workers order by id',
  );
  return rows;
}

/** How many visits each worker has written down. */
export async function countVisitsByWorker(db: Queryable): Promise<Map<string, number>> {
  const { rows } = await db.query<{ worker_id: string; count: number }>(
    'select worker_id, count(*)::int as count from crawl_log group by worker_id order by worker_id',
  );
  return new Map(rows.map((row) => [row.worker_id, row.count]));
}

/** How many domains the worker of this name holds; `%` stands for anything. */
export async function countHeld(db: Queryable, worker: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from domains where claimed_by like $1',
    [worker],
  );
  return rows[0]?.count ?? 0;
}

const BEAT_MS = 2;
/** Accepting a connection, reading from it and handling what was read are turns of their own. */
const TURNS_BACK = 4;

/** A local web that knows how late its own process may have been in looking at a request. */
export interface FleetWeb {
  readonly origin: Origin;
  /**
   * Gaps between two requests to a site that were shorter than its delay, however kindly one looks: the earlier
   * request is logged when the server's process gets to it, which on a busy machine is some time after it came. It
   * came after the process had last looked, and that moment is known.
   */
  findShortGaps(sites: readonly string[], delayMs: number): string[];
}

export async function startFleetWeb(): Promise<FleetWeb> {
  const origin = await startOrigin();
  const beats: number[] = [];
  const timer = setInterval(() => beats.push(performance.now()), BEAT_MS);
  const lookedBefore = (atMs: number): number => {
    let [low, high] = [0, beats.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((beats[middle] ?? 0) <= atMs) low = middle + 1;
      else high = middle;
    }
    return beats[low - TURNS_BACK] ?? 0;
  };
  return {
    origin: {
      ...origin,
      close: () => {
        clearInterval(timer);
        return origin.close();
      },
    },
    findShortGaps: (sites, delayMs) =>
      sites.flatMap((site) => {
        const asked = origin.requestsTo(site);
        return asked.flatMap(({ atMs, path: to }, n) => {
          const before = asked[n - 1];
          if (before === undefined || atMs - lookedBefore(before.atMs) >= delayMs) return [];
          return [`${site}: ${before.path}, ${to} after ${(atMs - before.atMs).toFixed(1)} ms`];
        });
      }),
  };
}

/** Goes on with a stopped process whatever becomes of the test. */
export function freeze(worker: CrawlProcess): () => void {
  worker.child.kill('SIGSTOP');
  const thaw = (): void => void worker.child.kill('SIGCONT');
  onTestFinished(thaw);
  return thaw;
}

/** Answers wait at it until it is opened. */
export function makeGate(): { opened: () => Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened: () => isOpen, open: () => open() };
}
