import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { setTimeout as waitMs } from 'node:timers/promises';
import { monotonicMs } from '../platform/clock.ts';
import { openBlog } from './blog.ts';
import type { DemoReply, DemoSite } from './demo-site.ts';
import { replyWithHtml } from './demo-site.ts';
import { renderFrontPage } from './front-page.ts';
import { openHandbook } from './handbook.ts';
import { MOSS_AND_MARROW } from './moss-and-marrow.ts';
import { sendReply } from './send-reply.ts';
import { openShop } from './shop.ts';
import { TINKER_AND_SONS } from './tinker-and-sons.ts';

export interface DemoWebOptions {
  /** Only loopback: the demo web is nobody else's business. */
  readonly host?: '127.0.0.1';
  /** 0 or absent: any free port. */
  readonly port?: number;
}

export interface DemoWeb {
  /** A page that lists the sites, for people. */
  readonly url: string;
  readonly sites: ReadonlyArray<Pick<DemoSite, 'name' | 'domain' | 'url' | 'description'>>;
  /** What was asked, oldest first; only the latest are kept. */
  readonly requests: readonly DemoWebRequest[];
  /** From now on the shops sell by their so-many-th price list: a few prices and stocks differ from list to list. */
  usePriceList(number: number): void;
  close(): Promise<void>;
}

export interface DemoWebRequest {
  readonly method: string;
  readonly host: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly status: number;
  readonly userAgent: string | undefined;
  /** When the request's head had been read, on the monotonic clock. */
  readonly atMs: number;
}

const REQUESTS_KEPT = 20_000;

/**
 * Serves the demo web: several sites on one loopback port, told apart by the Host header. Their names end
 * in .localhost, which RFC 6761 gives to loopback, so browsers find them without any set-up.
 */
export async function startDemoWeb(options: DemoWebOptions = {}): Promise<DemoWeb> {
  const host = options.host ?? '127.0.0.1';
  const requests: DemoWebRequest[] = [];
  let sites: readonly DemoSite[] = [];

  const server = createServer((request, response) => {
    answerRequest(request, response).catch(() => response.destroy());
  });

  async function answerRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const atMs = monotonicMs();
    const hostName = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
    const target = request.url ?? '/';
    const reply = chooseReply(sites, hostName, target, request.method ?? 'GET');
    if (reply.dawdleMs !== undefined) await waitMs(reply.dawdleMs);
    const status = sendReply(request, response, reply);
    if (requests.length >= REQUESTS_KEPT) requests.splice(0, REQUESTS_KEPT / 10);
    requests.push({
      method: request.method ?? 'GET',
      host: hostName,
      target,
      status,
      userAgent: request.headers['user-agent'],
      atMs,
    });
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const originOf = (domain: string): string => `http://${domain}:${port}/`;
  sites = openSites(originOf, 0);

  return {
    url: `http://localhost:${port}/`,
    sites: sites.map(({ name, domain, url, description }) => ({ name, domain, url, description })),
    requests,
    usePriceList: (number) => {
      sites = openSites(originOf, number);
    },
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

function openSites(originOf: (domain: string) => string, priceList: number): DemoSite[] {
  return [
    openShop(TINKER_AND_SONS, originOf(TINKER_AND_SONS.domain), priceList),
    openShop(MOSS_AND_MARROW, originOf(MOSS_AND_MARROW.domain), priceList),
    openBlog(originOf('the-slow-kettle.localhost'), originOf(TINKER_AND_SONS.domain)),
    openHandbook(originOf('wren-handbook.localhost')),
  ];
}

function chooseReply(sites: readonly DemoSite[], host: string, target: string, method: string): DemoReply {
  const plain = { 'content-type': 'text/plain; charset=utf-8' };
  if (method !== 'GET' && method !== 'HEAD') {
    return { status: 405, headers: { ...plain, allow: 'GET, HEAD' }, body: 'Look, do not touch.\n' };
  }
  if (host === 'localhost' || host === '127.0.0.1') {
    if (target === '/') return replyWithHtml(renderFrontPage(sites));
    return { status: 404, headers: plain, body: 'Only the front page is here.\n' };
  }
  const site = sites.find(({ domain }) => domain === host);
  if (site === undefined) return { status: 421, headers: plain, body: 'No such site in the demo web.\n' };
  const queryAt = target.indexOf('?');
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  const query = new URLSearchParams(queryAt === -1 ? '' : target.slice(queryAt + 1));
  return site.answer({ path, query });
}
