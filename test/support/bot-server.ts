/** A server that answers a bot as the test says, and keeps what it was sent. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { BotJob } from '../../src/bot/index.ts';

export interface BotCall {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: Record<string, unknown>;
}

export interface BotAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Hang up instead of answering. */
  readonly isDropped?: boolean;
}

export interface BotServer {
  readonly url: string;
  readonly calls: readonly BotCall[];
}

export async function startBotServer(
  answer: (call: BotCall) => BotAnswer | Promise<BotAnswer>,
): Promise<BotServer> {
  const calls: BotCall[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const call = {
      path: request.url ?? '',
      key: request.headers.authorization,
      body: JSON.parse(text) as Record<string, unknown>,
    };
    calls.push(call);
    const { status = 200, headers = {}, body, isDropped } = await answer(call);
    if (isDropped) return void request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

export const ok = (data: unknown): BotAnswer => ({ body: { success: true, data } });

export const refused = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): BotAnswer => ({
  ...{ status, headers },
  body: { success: false, error: code.replaceAll('-', '_'), code, detail: `It is ${code}.`, hint: 'do so' },
});

export const pulled = (...jobs: BotJob[]): BotAnswer =>
  ok({ jobs, count: jobs.length, skipped: 0, retry_after_seconds: jobs.length > 0 ? null : 1 });

export function makeJob(number: number, more: Partial<BotJob> = {}): BotJob {
  return {
    job_id: `00000000-0000-8000-8000-${number.toString(16).padStart(12, '0')}`,
    ...{ task_id: number, url: `https://shop.example/${number}`, domain: 'shop.example', priority: 5 },
    ...{ max_retries: 3, retry_count: 0, timeout_seconds: 600, locked_until: '2030-01-01T00:10:00.000Z' },
    ...{ lock_token: String(100 + number), wanted: 'price', user_agent: null, crawl_delay_seconds: null },
    ...more,
  };
}
