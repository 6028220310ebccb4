/** From what a person types to the URLs it may stand for. */
import { canonicalDomain } from '../../engine/frontier/canonical-domain.ts';
import { hashUrlKey, normalizeUrl } from '../../engine/frontier/normalize-url.ts';
import { hasScheme } from '../../engine/frontier/seeds.ts';
import { ForagerError } from '../../platform/errors.ts';

export interface UrlReading {
  readonly url: string;
  readonly key: string;
  readonly domain: string;
  readonly hash: Buffer;
}

/** Bare names may be https or http, and a crawl may ignore trailing slashes. */
export function listReadings(text: string): UrlReading[] {
  const spellings = hasScheme(text) ? [text] : [`https://${text}`, `http://${text}`];
  const readings = new Map<string, UrlReading>();
  let reason = 'it names no host';
  for (const stripTrailingSlash of [false, true]) {
    for (const spelling of spellings) {
      const normal = normalizeUrl(spelling, { stripTrailingSlash });
      if (normal.kind === 'bad') {
        reason = normal.reason;
        continue;
      }
      const domain = canonicalDomain(normal.url);
      if (domain === undefined) continue;
      readings.set(normal.key, { url: normal.url, key: normal.key, domain, hash: hashUrlKey(normal.key) });
    }
  }
  if (readings.size > 0) return [...readings.values()];
  throw new ForagerError('bad-url', `"${text.slice(0, 200)}" is not a URL that can be crawled: ${reason}.`, {
    hint: 'give one such as https://example.com/page',
  });
}
