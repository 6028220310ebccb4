/**
 * Cookies of a domain whose requests stick to one proxy: a jar for each, so that what a site has told one visitor is
 * never shown by another. They live as long as the session with the domain.
 */
import { CookieJar } from 'tough-cookie';
import { headerValues, type RawHeaders } from '../fetch/fetch-result.ts';

/** A site may fill a jar without end. */
const MOST_COOKIES = 100;
const LONGEST_COOKIE = 4096;
const LONGEST_HEADER = 8192;

export class CookieJars {
  readonly #jars = new Map<number, { readonly jar: CookieJar; taken: number }>();

  /** The Cookie header for this URL through this proxy; undefined: none. */
  headerFor(proxyId: number, url: string): string | undefined {
    const header = this.#jars.get(proxyId)?.jar.getCookieStringSync(url) ?? '';
    return header === '' || header.length > LONGEST_HEADER ? undefined : header;
  }

  keep(proxyId: number, url: string, headers: RawHeaders): void {
    const cookies = headerValues(headers, 'set-cookie');
    if (cookies.length === 0) return;
    let own = this.#jars.get(proxyId);
    if (own === undefined || own.taken + cookies.length > MOST_COOKIES * 10) {
      own = { jar: new CookieJar(undefined, { looseMode: true }), taken: 0 };
      this.#jars.set(proxyId, own);
    }
    for (const cookie of cookies.slice(0, MOST_COOKIES)) {
      if (cookie.length > LONGEST_COOKIE) continue;
      own.taken += 1;
      own.jar.setCookieSync(cookie, url, { ignoreError: true });
    }
  }

  /** The site has turned this visitor away: the next one is a new one. */
  forget(proxyId: number): void {
    this.#jars.delete(proxyId);
  }
}
