/** Where a fetcher that may not speak to private addresses gets when the demo web is its one exception. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DemoRole, openDemoRole } from '../../src/cli/demo-role.ts';
import type { Fetcher } from '../../src/engine/fetch/fetcher.ts';
import type { Resolver } from '../../src/engine/fetch/resolver.ts';
import { createTestFetcher, pageRequest } from '../origin/fetch-from.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';

let demo: DemoRole;
let origin: Origin;
let fetcher: Fetcher;
const addresses = new Map<string, readonly string[]>();

beforeAll(async () => {
  demo = await openDemoRole();
  origin = await startOrigin();
  const resolver: Resolver = {
    resolve: async (name) => ({ kind: 'addresses', addresses: addresses.get(name) ?? ['127.0.0.1', '::1'] }),
    close: () => undefined,
  };
  fetcher = createTestFetcher({ allowPrivate: false, mayReach: demo.mayReach, resolver });
});
afterAll(async () => {
  await fetcher.close();
  await origin.close();
  await demo.web.close();
});

const firstSite = (): URL => new URL(demo.web.sites[0]?.url ?? '');

it('reaches every site of the demo web', async () => {
  for (const { url } of demo.web.sites) {
    // One of them redirects from its front page.
    const result = await fetcher.fetch(pageRequest(url));
    expect(result.kind).toMatch(/^(?:response|redirect)$/);
    expect(result).toMatchObject({ remoteAddress: '127.0.0.1' });
  }
});

it.each([
  ['the same port by address', () => `http://127.0.0.1:${firstSite().port}/`],
  ['the same port under another name', () => `http://elsewhere.localhost:${firstSite().port}/`],
  ['the same port under a name of the outside world', () => `http://public.example:${firstSite().port}/`],
  ['the same name on another port', () => `http://${firstSite().hostname}:${origin.port}/`],
  ['the same name by https', () => `https://${firstSite().host}/`],
  ['something else on this machine', () => origin.hostUrl('other', '/')],
])('does not reach %s', async (_what, url) => {
  const asked = demo.web.requests.length;
  expect(await fetcher.fetch(pageRequest(url()))).toMatchObject({ reason: 'private-address' });
  expect(demo.web.requests.length).toBe(asked);
  expect(origin.requests).toEqual([]);
});

it('does not follow a name of the demo web to another private address', async () => {
  const { hostname, port } = new URL(demo.web.sites[1]?.url ?? '');
  addresses.set(hostname, ['10.0.0.1', '169.254.169.254', '127.0.0.2']);
  const other = createTestFetcher({
    ...{ allowPrivate: false, mayReach: demo.mayReach },
    resolver: {
      resolve: async () => ({ kind: 'addresses', addresses: addresses.get(hostname) ?? [] }),
      close: () => undefined,
    },
  });
  expect(await other.fetch(pageRequest(`http://${hostname}:${port}/`))).toMatchObject({
    reason: 'private-address',
  });
  await other.close();
});
