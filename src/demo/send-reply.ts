import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { DemoReply } from './demo-site.ts';

const COMPRESSIBLE = /^(?:text\/|application\/(?:xml|rss\+xml|atom\+xml)|image\/svg)/;

/** Puts a reply on the wire: 304 where the client's copy still holds, gzip where it is understood. */
export function sendReply(request: IncomingMessage, response: ServerResponse, reply: DemoReply): number {
  if (reply.status === 200 && isUnchanged(request, reply)) {
    const { etag, 'last-modified': modified } = reply.headers;
    response.writeHead(304, {
      ...(etag === undefined ? {} : { etag }),
      ...(modified === undefined ? {} : { 'last-modified': modified }),
    });
    response.end();
    return 304;
  }
  const plain = typeof reply.body === 'string' ? Buffer.from(reply.body, 'utf8') : reply.body;
  const mayCompress = COMPRESSIBLE.test(reply.headers['content-type'] ?? '');
  const isCompressed = mayCompress && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  const body = isCompressed ? gzipSync(plain) : plain;
  response.writeHead(reply.status, {
    ...reply.headers,
    ...(mayCompress ? { vary: 'accept-encoding' } : {}),
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    'content-length': body.length,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
  return reply.status;
}

/** RFC 9110 §13.2.2: an entity tag, when sent, decides alone. */
function isUnchanged(request: IncomingMessage, reply: DemoReply): boolean {
  const { etag, 'last-modified': modified } = reply.headers;
  const tags = request.headers['if-none-match'];
  if (tags !== undefined) {
    const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
    return (
      etag !== undefined && tags.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(etag))
    );
  }
  const since = Date.parse(request.headers['if-modified-since'] ?? '');
  return modified !== undefined && !Number.isNaN(since) && Date.parse(modified) <= since;
}
