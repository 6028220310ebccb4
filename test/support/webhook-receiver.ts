/**
 * A server on loopback that receives webhooks and checks their signatures by itself, from the text of the specification
 * (standardwebhooks.com 1.0), sharing no code with the sender.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedMessage {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly id: string;
  readonly atMs: number;
}

export type Behaviour = (request: IncomingMessage, response: ServerResponse, count: number) => void;

export interface WebhookReceiver {
  readonly url: string;
  readonly port: number;
  readonly messages: ReceivedMessage[];
  /** Connections that were made, also those on which nothing was sent. */
  readonly connections: number;
  /** Most requests that were open at the same time. */
  readonly mostAtOnce: number;
  /** What it does from now on with requests to this path; `count` is how many came there before. */
  on(path: string, behave: Behaviour): void;
  close(): Promise<void>;
}

export const answerWith =
  (status: number, body = '', headers: Record<string, string> = {}): Behaviour =>
  (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

export async function startReceiver(): Promise<WebhookReceiver> {
  const messages: ReceivedMessage[] = [];
  const behaviours = new Map<string, Behaviour>();
  const counts = new Map<string, number>();
  const figures = { connections: 0, open: 0, mostAtOnce: 0 };
  const server = createServer((request, response) => {
    figures.open += 1;
    figures.mostAtOnce = Math.max(figures.mostAtOnce, figures.open);
    response.once('close', () => {
      figures.open -= 1;
    });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const count = counts.get(path) ?? 0;
      counts.set(path, count + 1);
      messages.push({
        ...{ path, method: request.method ?? '', headers: request.headers, atMs: performance.now() },
        ...{ body: Buffer.concat(chunks).toString('utf8'), id: String(request.headers['webhook-id']) },
      });
      (behaviours.get(path) ?? answerWith(204))(request, response, count);
    });
  });
  server.on('connection', () => {
    figures.connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}`, port, messages },
    get connections() {
      return figures.connections;
    },
    get mostAtOnce() {
      return figures.mostAtOnce;
    },
    on: (path, behave) => void behaviours.set(path, behave),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Whether one of the signatures is right, and the message is not old (5 min, as the libraries have it). */
export function isGenuine({ headers, body }: ReceivedMessage, secret: string, nowMs = Date.now()): boolean {
  const id = String(headers['webhook-id']);
  const timestamp = String(headers['webhook-timestamp']);
  if (!/^\d+$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .some((signature) => {
      const [version, value = ''] = signature.split(',');
      const given = Buffer.from(value, 'base64');
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
    });
}
