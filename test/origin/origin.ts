/**
 * A web on loopback for tests: one server, any number of sites told apart by the Host header, a log of every
 * request. Sites are reached as http://name.localhost:port/, which needs no name server.
 */
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { findHandler, type SiteDefinition } from './site.ts';

export interface LoggedRequest {
  /** Site name: the host without `.localhost` and port (`127.0.0.1` for requests by address). */
  readonly site: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Monotonic milliseconds at which the server had read the request. */
  readonly atMs: number;
  /** The client's port: equal ports mean one connection. */
  readonly clientPort: number;
}

export interface Origin {
  readonly port: number;
  /** Everything asked so far, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** Defines or replaces a site; the site named `127.0.0.1` answers `url()`. */
  site(name: string, definition: SiteDefinition): void;
  url(path: string): string;
  hostUrl(name: string, path: string): string;
  requestsTo(site: string, path?: string): LoggedRequest[];
  /** Resolves with the first logged request that fits, at once if there already is one. */
  waitForRequest(fits: (request: LoggedRequest) => boolean): Promise<LoggedRequest>;
  /** Resolves when no client is connected any more. */
  waitUntilAlone(): Promise<void>;
  forgetRequests(): void;
  /** Ends every connection, also those a handler keeps hanging. */
  close(): Promise<void>;
}

export interface OriginOptions {
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly keepAliveTimeoutMs?: number;
}

export async function startOrigin(options: OriginOptions = {}): Promise<Origin> {
  const sites = new Map<string, SiteDefinition>();
  const visits = new Map<string, number>();
  const requests: LoggedRequest[] = [];
  const watchers = new Set<() => void>();
  let connectionCount = 0;

  const listener: RequestListener = async (request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '');
    const site = host.replace(/\.localhost$/, '');
    const path = request.url ?? '/';
    const url = new URL(path, `http://${request.headers.host ?? 'localhost'}`);
    const { remotePort = 0 } = request.socket;
    requests.push({ site, path, headers: request.headers, atMs: performance.now(), clientPort: remotePort });
    notify();

    const visitKey = `${site} ${url.pathname}`;
    const visit = (visits.get(visitKey) ?? 0) + 1;
    visits.set(visitKey, visit);
    const definition = sites.get(site);
    const handler = definition && findHandler(definition, url.pathname);
    if (handler) {
      await handler({ request, response, url, visit });
      return;
    }
    response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' });
    response.end('<!doctype html><title>Not found</title><p>There is no such page.</p>');
  };

  function notify(): void {
    for (const watcher of [...watchers]) watcher();
  }

  function waitFor<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const watcher = () => {
        const found = find();
        if (found === undefined) return;
        watchers.delete(watcher);
        resolve(found);
      };
      watchers.add(watcher);
      watcher();
    });
  }

  const server = options.tls ? createSecureServer(options.tls, listener) : createServer(listener);
  server.keepAliveTimeout = options.keepAliveTimeoutMs ?? 60_000;
  server.on('connection', (socket) => {
    connectionCount++;
    // Clients of a misbehaving server hang up in mid-answer; that is the point and no error.
    socket.on('error', () => {});
    socket.once('close', () => {
      connectionCount--;
      notify();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const scheme = options.tls ? 'https' : 'http';

  return {
    port,
    requests,
    site: (name, definition) => void sites.set(name, definition),
    url: (path) => `${scheme}://127.0.0.1:${port}${path}`,
    hostUrl: (name, path) => `${scheme}://${name}.localhost:${port}${path}`,
    requestsTo: (site, path) =>
      requests.filter((logged) => logged.site === site && (path === undefined || logged.path === path)),
    waitForRequest: (fits) => waitFor(() => requests.find(fits)),
    async waitUntilAlone() {
      await waitFor(() => (connectionCount === 0 ? true : undefined));
    },
    forgetRequests() {
      requests.length = 0;
      visits.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
