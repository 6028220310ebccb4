/** What does not even become a request of ours: a short answer, and the connection is closed. */
import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ProblemCode } from '../contract/problems.ts';
import { errorCode } from '../platform/errors.ts';
import { Refusal } from './refusal.ts';

const CODES: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers-too-large', 'The address and the headers have 16 kB together.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['body-too-large', 'The chunks of the body say too much about themselves.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request did not arrive in the time it is given.'],
};

export function refuseSocket(error: Error, socket: Socket): void {
  if (errorCode(error) === 'ECONNRESET' || !socket.writable || hasBegunAnswer(socket)) {
    socket.destroy();
    return;
  }
  const [code, detail] = CODES[errorCode(error) ?? ''] ?? [
    'bad-request',
    'This is not HTTP as it should be.',
  ];
  const refusal = new Refusal(code, detail);
  const body = JSON.stringify(refusal.toProblem(randomUUID()));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Content-Type: application/problem+json',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Whoever goes on sending is not listened to.
  socket.destroySoon();
}

/** An answer to the request before is on its way: another in its middle would be read as part of it. */
function hasBegunAnswer(socket: Socket): boolean {
  const answer: unknown = Reflect.get(socket, '_httpMessage');
  return typeof answer === 'object' && answer !== null && Reflect.get(answer, 'headersSent') === true;
}

/** `Expect` of anything but 100-continue, which Node deals with before any route is looked for. */
export function refuseExpectation(response: ServerResponse): void {
  const refusal = new Refusal('bad-expectation', 'Only 100-continue may be expected.');
  const body = JSON.stringify(refusal.toProblem(randomUUID()));
  response.writeHead(refusal.status, { 'content-type': 'application/problem+json', connection: 'close' });
  response.end(body);
}
