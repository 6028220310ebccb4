import type { FetchRequest, FetchResult } from '../../src/engine/fetch/fetch-result.ts';
import { createFetcher, type Fetcher, type FetcherOptions } from '../../src/engine/fetch/fetcher.ts';

/** A fetcher that may speak to loopback, with a crawl's limits made small enough for tests. */
export function createTestFetcher(changes: Partial<FetcherOptions> = {}): Fetcher {
  return createFetcher({
    allowPrivate: true,
    maxConnectionsPerOrigin: 4,
    maxOrigins: 100,
    connectTimeoutMs: 5_000,
    ...changes,
  });
}

/** A request for a page with limits that only a misbehaving server meets. */
export function pageRequest(url: string, changes: Partial<FetchRequest> = {}): FetchRequest {
  return {
    url,
    userAgent: 'ForagerBot/0.1 (+https://example.com/bot)',
    accept: 'page',
    maxBodyBytes: 10_000_000,
    timeoutMs: 20_000,
    onOversize: 'fail',
    ...changes,
  };
}

/** The result as a response; anything else fails the test with its own words. */
export function expectResponse(result: FetchResult): Extract<FetchResult, { kind: 'response' }> {
  if (result.kind !== 'response') throw new Error(`expected a response, got ${JSON.stringify(result)}`);
  return result;
}
