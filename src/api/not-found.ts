/** Requests for what is not there, and requests that are none. */

import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { PROBLEMS, type ProblemCode } from '../contract/problems.ts';
import { errorCode } from '../platform/errors.ts';
import { Refusal } from './refusal.ts';
import type { Route } from './route.ts';

export function refuseUnknown(request: FastifyRequest, routes: readonly Route[]): never {
  const path = (request.url.split('?', 1)[0] ?? '').replace(/(.)\/$/, '$1');
  const methods = routes
    .filter(({ endpoint }) => matches(endpoint.path, path))
    .map(({ endpoint }) => endpoint.method);
  if (methods.length === 0) {
    throw new Refusal('unknown-route', `There is nothing at ${request.method} ${path.slice(0, 200)}.`, {
      hint: '/api/docs shows what there is',
    });
  }
  throw new Refusal(
    'method-not-allowed',
    `${path.slice(0, 200)} knows ${methods.join(' and ')}, not ${request.method}.`,
    {
      headers: { allow: methods.join(', ') },
    },
  );
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith(':') || part === given[index])
  );
}

const SOCKET_CODES: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

/** What did not even become a request: a short answer, and the connection is closed. */
export function refuseLater(error: Error, socket: Socket): void {
  if (errorCode(error) === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = SOCKET_CODES[errorCode(error) ?? ''] ?? 'bad-request';
  const { status, title } = PROBLEMS[code];
  const body = JSON.stringify({
    type: `/api/docs#${code}`,
    title,
    status,
    code,
    detail: title,
    requestId: '-',
  });
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
