/** The description of all routes: made once, when somebody first asks for it. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyReply } from 'fastify';
import {
  getDocs,
  getDocsScript,
  getDocsStyle,
  getFavicon,
  getHome,
  getOpenApi,
} from '../../contract/docs.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { renderPage } from '../docs-page/page.ts';
import { buildDocument } from '../openapi/build-document.ts';
import type { OpenApiDocument } from '../openapi/types.ts';
import { type Call, type Route, route } from '../route.ts';

export function docsRoutes(others: readonly Route[]): Route[] {
  const own: readonly Endpoint[] = [
    ...[getOpenApi, getDocs, getDocsStyle, getDocsScript],
    ...[getHome, getFavicon],
  ];
  const describe = once(
    (): OpenApiDocument => buildDocument([...others.map(({ endpoint }) => endpoint), ...own]),
  );
  return [
    fixed(getOpenApi, 'application/json; charset=utf-8', () => JSON.stringify(describe())),
    fixed(getDocs, getDocs.contentType, () => renderPage(describe())),
    fixed(getDocsStyle, getDocsStyle.contentType, () => readBeside('docs.css')),
    fixed(getDocsScript, getDocsScript.contentType, () => readBeside('docs.js')),
    route(getHome, async ({ reply }) => {
      reply.header('location', '/api/docs');
    }),
    route(getFavicon, async () => undefined),
  ];
}

/** Text that stays the same for as long as the server runs: a client that has it already is told so. */
function fixed(endpoint: Endpoint, contentType: string | undefined, make: () => string): Route {
  const content = once(() => {
    const text = make();
    return { text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
  });
  return route(endpoint, async ({ request, reply }: Call<Endpoint>): Promise<FastifyReply> => {
    const { text, tag } = content();
    reply.headers({ etag: tag, 'cache-control': 'no-cache' });
    const known = (request.headers['if-none-match'] ?? '')
      .split(',')
      .map((one) => one.trim().replace(/^W\//, ''));
    if (known.includes(tag) || known.includes('*')) return reply.status(304).send();
    return reply.type(contentType ?? 'text/plain').send(text);
  });
}

function readBeside(name: string): string {
  return readFileSync(new URL(`../docs-page/${name}`, import.meta.url), 'utf8');
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
