/** `forager up` and `forager api` as processes of their own, and somebody who logs in there. */
import { type CrawlProcess, type ProgramOptions, startProgram } from './crawl-process.ts';
import { waitUntil } from './crawl-support.ts';

export interface Listening {
  readonly event: 'listening';
  readonly url: string;
  readonly firstAdmin?: { readonly username: string; readonly password: string };
}

export interface ServerProcess extends Listening {
  readonly process: CrawlProcess;
  /** What its log says so far. */
  log(): Record<string, unknown>[];
}

/** Resolves when it listens; fails with its own words when it ends before. */
export async function startServerProcess(
  command: readonly string[],
  options: ProgramOptions,
): Promise<ServerProcess> {
  const process = startProgram([...command, '--json', '--port', '0'], options);
  let stdout = '';
  process.child.stdout?.on('data', (data: Buffer) => (stdout += data.toString()));
  const line = await waitUntil(() => {
    if (process.hasEnded()) throw new Error(`It ended before it listened: ${process.stderr()}`);
    return stdout.includes('\n') ? stdout.split('\n', 1)[0] : undefined;
  });
  const log = () =>
    process
      .stderr()
      .split('\n')
      .filter((text) => text.startsWith('{'))
      .map((text) => JSON.parse(text) as Record<string, unknown>);
  return { ...(JSON.parse(line) as Listening), process, log };
}

export interface Caller {
  readonly cookie: string;
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
}

export async function logIn(url: string, username: string, password: string): Promise<Caller> {
  const response = await fetch(new URL('/api/auth/login', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  if (response.status !== 200) throw new Error(`The login failed: ${await response.text()}`);
  const cookie = (response.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  return {
    cookie,
    call: async (method, path, body) => {
      const answer = await fetch(new URL(path, url), {
        method,
        headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
    },
  };
}

/** The administrator of a server that was started for the first time. */
export function logInFirst({ url, firstAdmin }: Listening): Promise<Caller> {
  if (firstAdmin === undefined) throw new Error('No first administrator was told of.');
  return logIn(url, firstAdmin.username, firstAdmin.password);
}

/** URLs of pages, through the API. */
export async function listPageUrls(caller: Caller): Promise<string[]> {
  const { body } = await caller.call('GET', '/api/pages?limit=200');
  return (body as { items: { url: string }[] }).items.map(({ url }) => url).sort();
}
