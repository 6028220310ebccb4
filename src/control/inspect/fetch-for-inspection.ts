/** Fetches one page as a crawl would, following redirects, for looking at. Nothing is stored. */

import type { FetchResult } from '../../engine/fetch/fetch-result.ts';
import { createFetcher } from '../../engine/fetch/fetcher.ts';
import type { Config } from '../../platform/config.ts';
import { ForagerError } from '../../platform/errors.ts';

const CONNECT_TIMEOUT_MS = 10_000;

export interface InspectedFetch {
  /** Where the last redirect led. */
  readonly url: string;
  readonly redirects: readonly { readonly status: number; readonly location: string }[];
  readonly result: Extract<FetchResult, { kind: 'response' }>;
}

export type InspectSettings = Pick<
  Config,
  'userAgent' | 'allowPrivate' | 'maxBodyBytes' | 'requestTimeoutMs' | 'maxRedirects'
>;

export async function fetchForInspection(url: string, settings: InspectSettings): Promise<InspectedFetch> {
  const fetcher = createFetcher({
    allowPrivate: settings.allowPrivate,
    maxConnectionsPerOrigin: 1,
    maxOrigins: 16,
    connectTimeoutMs: Math.min(CONNECT_TIMEOUT_MS, settings.requestTimeoutMs),
  });
  try {
    const redirects: { status: number; location: string }[] = [];
    let current = url;
    for (;;) {
      const result = await fetcher.fetch({
        url: current,
        userAgent: settings.userAgent,
        // Whatever it is, it is shown: only a crawl leaves out what is no page.
        accept: 'any',
        maxBodyBytes: settings.maxBodyBytes,
        onOversize: 'truncate',
        timeoutMs: settings.requestTimeoutMs,
      });
      if (result.kind === 'response') return { url: current, redirects, result };
      if (result.kind !== 'redirect') throw describeFailure(current, result);
      redirects.push({ status: result.status, location: result.location });
      if (redirects.length > settings.maxRedirects) {
        throw new ForagerError(
          'too-many-redirects',
          `${url} redirects more than ${settings.maxRedirects} times.`,
          {
            hint: `the last one leads to ${result.location}`,
          },
        );
      }
      current = result.location;
    }
  } finally {
    await fetcher.close();
  }
}

function describeFailure(
  url: string,
  result: Exclude<FetchResult, { kind: 'response' | 'redirect' }>,
): ForagerError {
  if (result.kind !== 'failure') {
    return new ForagerError('not-a-page', `${url} answered ${result.status} without a body to look at.`);
  }
  const message = result.message.replace(/[.\s]+$/, '');
  return new ForagerError('fetch-failed', `${url} cannot be fetched: ${message}.`, {
    ...(result.reason === 'private-address' && { hint: 'add --allow-private if this site is yours' }),
  });
}
