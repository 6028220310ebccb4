import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request to a site of the local web, and the means to answer it well or badly. */
export interface OriginExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** How many times this path of this site has been asked for, this one included. */
  readonly visit: number;
}

export type Handler = (exchange: OriginExchange) => void | Promise<void>;

/** What a path answers: HTML given as text, or a handler. A path ending in `*` stands for all that follow. */
export type SitePages = Record<string, Handler | string>;

export interface SiteDefinition {
  /** Left out: robots.txt is 404, everything is allowed. */
  readonly robots?: Handler | string;
  readonly pages: SitePages;
}

/** The handler of a path: the exact one, otherwise the longest `…*` that fits, otherwise none. */
export function findHandler(site: SiteDefinition, path: string): Handler | undefined {
  if (path === '/robots.txt' && site.robots !== undefined) return toHandler(site.robots, 'text/plain');
  const exact = site.pages[path];
  if (exact !== undefined) return toHandler(exact, 'text/html; charset=utf-8');
  let best: string | undefined;
  for (const pattern of Object.keys(site.pages)) {
    if (!pattern.endsWith('*') || !path.startsWith(pattern.slice(0, -1))) continue;
    if (best === undefined || pattern.length > best.length) best = pattern;
  }
  const found = best === undefined ? undefined : site.pages[best];
  return found === undefined ? undefined : toHandler(found, 'text/html; charset=utf-8');
}

function toHandler(page: Handler | string, contentType: string): Handler {
  if (typeof page === 'function') return page;
  return ({ response }) => {
    response.writeHead(200, { 'content-type': contentType });
    response.end(page);
  };
}

/** A page with a title, some text and these links. */
export function htmlPage(title: string, links: readonly string[] = [], text = ''): string {
  const anchors = links.map((href) => `<li><a href="${href}">${href}</a></li>`).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>${title}</h1><p>${text}</p><ul>
${anchors}
</ul></body></html>
`;
}

/** Answers with HTML made for the request. */
export function html(render: (exchange: OriginExchange) => string): Handler {
  return (exchange) => {
    exchange.response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    exchange.response.end(render(exchange));
  };
}
