/**
 * Has a visit ended at a login instead of a page? Three ways to tell, none of which means anything by itself: a
 * healthy site has a login page, and links that lead there.
 *
 *   redirect  the answer sends us from a URL that is no login to one that is (login-url.ts), to a host that
 *             serves nothing but logins, or says so in a <meta refresh> on a page with next to nothing else
 *   form      the page has a password field and little else: hardly any text, hardly any links into the site.
 *             A box for the password in the header of a shop is not that
 *   status    401
 *
 * The form at /login is where it belongs: no wall, but nothing worth reading either (`at-home`), like the forms
 * for a new account and for a lost password beside it.
 *
 * What follows is counted in note-visit.ts and decided in claim/settle-domain.ts: only a domain from which walls
 * come and pages do not is `blocked` for `login_required`. A login in two steps (the name first, the password on
 * the next page) is only known by its redirect.
 */
import { canonicalDomain, registrableDomain } from '../frontier/canonical-domain.ts';
import { hostOf, isAccountUrl, isLoginHost, isLoginUrl } from '../frontier/login-url.ts';
import { LOGIN_TITLE } from '../frontier/login-words.ts';
import { resolveLink } from '../frontier/resolve-link.ts';
import type { ParsedPage } from '../parse/parsed-page.ts';

export type LoginSign = 'redirect' | 'form' | 'status' | 'at-home';

/** Was something else asked for? */
export function isLoginWall(sign: LoginSign | undefined): boolean {
  return sign !== undefined && sign !== 'at-home';
}

/** A page whose title says login may have a footer, a notice about cookies and a choice of languages. */
const TITLED = { maxText: 2500, maxLinks: 25, maxImages: 20 };
/** One whose title says something else must be bare to count. */
const UNTITLED = { maxText: 400, maxLinks: 8, maxImages: 5 };
/** What a page says that only sends its reader on. */
const MAX_REFRESH_TEXT = 400;

/** Leaving leads to the login as well, but nobody wanted to read that page. */
const LEAVING = /\/(?:log|sign)[-_]?(?:out|off)\b/i;

export function isLoginRedirect(from: string, to: string): boolean {
  if (isLoginUrl(from) || LEAVING.test(from)) return false;
  if (isLoginUrl(to)) return true;
  const host = hostOf(to);
  return host !== hostOf(from) && isLoginHost(host) && !isLoginHost(hostOf(from));
}

/** Where a redirect to a login leads, without the way back: one of these is enough to know them all. */
export function loginEndpoint(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? url;
}

/** Do both belong to one site? A site's own login may be followed; a stranger's is none of ours. */
export function isSameSite(one: string, other: string): boolean {
  const [a, b] = [canonicalDomain(one), canonicalDomain(other)];
  return a !== undefined && b !== undefined && registrableDomain(a) === registrableDomain(b);
}

type Judged = Pick<
  ParsedPage,
  'hasPasswordInput' | 'title' | 'textLength' | 'imageCount' | 'links' | 'baseUrl' | 'refreshUrl'
>;

/** What a page has to do with a login, if anything. */
export function pageLoginSign(page: Judged, url: string): LoginSign | undefined {
  if (isAccountUrl(url)) return 'at-home';
  if (page.refreshUrl !== undefined && page.textLength <= MAX_REFRESH_TEXT) {
    const target = resolveLink(page.refreshUrl, page.baseUrl);
    if (target !== undefined && isLoginRedirect(url, target)) return 'redirect';
  }
  if (!page.hasPasswordInput) return undefined;
  const limits = LOGIN_TITLE.test(page.title ?? '') ? TITLED : UNTITLED;
  if (page.textLength > limits.maxText || page.imageCount > limits.maxImages) return undefined;
  return countLinksInto(page, url) <= limits.maxLinks ? 'form' : undefined;
}

/** Different pages of the same site that the page links to, itself and what belongs to a login left out. */
function countLinksInto(page: Judged, url: string): number {
  const pages = new Set<string>();
  const own = loginEndpoint(url);
  for (const { href, kind } of page.links) {
    if (kind !== 'anchor' && kind !== 'area' && kind !== 'frame') continue;
    const target = resolveLink(href, page.baseUrl);
    if (target === undefined || hostOf(target) !== hostOf(url) || isAccountUrl(target)) continue;
    const path = loginEndpoint(target);
    if (path !== own) pages.add(target.split('#', 1)[0] ?? target);
  }
  return pages.size;
}
