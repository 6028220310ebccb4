import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestFetcher, expectResponse, pageRequest } from '../origin/fetch-from.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';

const readFixture = (name: string) =>
  readFileSync(new URL(`../origin/fixtures/${name}`, import.meta.url), 'utf8');
const cert = readFixture('secure-localhost.cert.pem');
const key = readFixture('secure-localhost.key.pem');

let secure: Origin;
let plain: Origin;

beforeAll(async () => {
  secure = await startOrigin({ tls: { key, cert } });
  secure.site('secure', { pages: { '/*': 'secret' } });
  plain = await startOrigin();
});

afterAll(async () => {
  await secure.close();
  await plain.close();
});

it('fetches over TLS from a server whose certificate is trusted, on one connection', async () => {
  const fetcher = createTestFetcher({ ca: cert });
  for (const path of ['/', '/again']) {
    const result = await fetcher.fetch(pageRequest(secure.hostUrl('secure', path)));
    expect(expectResponse(result)).toMatchObject({ status: 200, remoteAddress: '127.0.0.1' });
  }
  expect(new Set(secure.requests.map((request) => request.clientPort)).size).toBe(1);
  await fetcher.close();
  await secure.waitUntilAlone();
});

it('refuses a certificate nobody vouches for', async () => {
  const fetcher = createTestFetcher();
  const result = await fetcher.fetch(pageRequest(secure.hostUrl('secure', '/')));
  expect(result).toMatchObject({ kind: 'failure', reason: 'tls-failed' });
  await fetcher.close();
});

it('refuses a trusted certificate that is for another name or an address it does not name', async () => {
  const fetcher = createTestFetcher({ ca: cert });
  for (const url of [secure.hostUrl('other', '/'), secure.url('/')]) {
    expect(await fetcher.fetch(pageRequest(url))).toMatchObject({ kind: 'failure', reason: 'tls-failed' });
  }
  await fetcher.close();
});

it('says that TLS failed when the server does not speak it', async () => {
  const fetcher = createTestFetcher();
  const result = await fetcher.fetch(pageRequest(plain.url('/').replace('http:', 'https:')));
  expect(result).toMatchObject({ kind: 'failure', reason: 'tls-failed' });
  await fetcher.close();
});
