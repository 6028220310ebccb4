/** A URL in all the forms Forager gives it. */
import { canonicalDomain, registrableDomain } from '../../engine/frontier/canonical-domain.ts';
import { hashUrlKey, normalizeUrl } from '../../engine/frontier/normalize-url.ts';

export type UrlDescription =
  | {
      readonly input: string;
      /** What is requested. */
      readonly url: string;
      /** What it is deduplicated by. */
      readonly key: string;
      /** SHA-256 of the key, in hex. */
      readonly hash: string;
      readonly domain: string | null;
      readonly parentDomain: string | null;
    }
  | { readonly input: string; readonly error: string };

export function describeUrl(input: string, stripTrailingSlash: boolean): UrlDescription {
  const normal = normalizeUrl(input, { stripTrailingSlash });
  if (normal.kind === 'bad') return { input, error: normal.reason };
  const { url, key } = normal;
  const domain = canonicalDomain(url);
  const parentDomain = domain === undefined ? null : registrableDomain(domain);
  return { input, url, key, hash: hashUrlKey(key).toString('hex'), domain: domain ?? null, parentDomain };
}
