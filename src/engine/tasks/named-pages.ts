/** The pages that a page names: its links into its own domain, each once, in the order in which they stand. */
import { canonicalDomain } from '../frontier/canonical-domain.ts';
import { hashUrlKey, normalizeUrl } from '../frontier/normalize-url.ts';
import { resolveLink } from '../frontier/resolve-link.ts';
import type { RawLink } from '../parse/parsed-page.ts';

export interface NamedPage {
  readonly url: string;
  readonly hash: Buffer;
}

export interface NamedPagesRules {
  readonly domain: string;
  readonly limit: number;
  readonly stripTrailingSlash: boolean;
}

export function namedPages(links: readonly RawLink[], baseUrl: string, rules: NamedPagesRules): NamedPage[] {
  const named = new Map<string, NamedPage>();
  for (const link of links) {
    if (named.size >= rules.limit) break;
    if (link.isNofollow) continue;
    const absolute = resolveLink(link.href, baseUrl);
    if (absolute === undefined) continue;
    const normal = normalizeUrl(absolute, { stripTrailingSlash: rules.stripTrailingSlash });
    if (normal.kind === 'bad' || canonicalDomain(normal.url) !== rules.domain) continue;
    const hash = hashUrlKey(normal.key);
    named.set(hash.toString('latin1'), { url: normal.url, hash });
  }
  return [...named.values()];
}
