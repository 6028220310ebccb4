/** URLs on a page: made absolute, and compared as far as two of them can be the same page. */

const MAX_URL_LENGTH = 2048;

/** Absolute, http or https; undefined for anything else, such as data: and what a template has left. */
export function absoluteUrl(text: string, baseUrl: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_URL_LENGTH || /[<>{}]|\s{2}/.test(trimmed)) return undefined;
  const url = parse(trimmed, baseUrl);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  // With a name and a password in it, it is somebody's own.
  if (url.username !== '' || url.password !== '') return undefined;
  return url.href.length > MAX_URL_LENGTH ? undefined : url.href;
}

function parse(text: string, base: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** exact: with its query as well; path: the same but for the query; undefined: another page. */
export type Sameness = 'exact' | 'path' | undefined;

export function compareToPage(candidate: string, pageUrl: string, baseUrl: string): Sameness {
  // Pages that do not take the trouble to say which: the front page and a bare fragment.
  if (candidate.startsWith('#')) return undefined;
  const url = parse(candidate.trim(), baseUrl);
  const page = parsePage(pageUrl);
  if (url === null || page === null || bareHost(url) !== bareHost(page)) return undefined;
  if (barePath(url) !== barePath(page)) return undefined;
  return url.search === page.search ? 'exact' : 'path';
}

export function isFrontPage(candidate: string, pageUrl: string): boolean {
  const url = parse(candidate.trim(), pageUrl);
  const page = parsePage(pageUrl);
  if (url === null || page === null || bareHost(url) !== bareHost(page)) return false;
  // A front page for each language is one as well.
  return (
    /^\/(?:[a-z]{2}(?:[-_][a-zA-Z]{2})?\/?|index\.\w{3,4}|home\/?)?$/.test(url.pathname) && url.search === ''
  );
}

/** One page is asked about many times over. */
let lastPage: { readonly text: string; readonly url: URL | null } = { text: '', url: null };

function parsePage(text: string): URL | null {
  if (lastPage.text !== text) lastPage = { text, url: parse(text, text) };
  return lastPage.url;
}

function bareHost(url: URL): string {
  return url.host.replace(/^www\./, '');
}

function barePath(url: URL): string {
  return decodeLoosely(url.pathname).replace(/\/+$/, '');
}

function decodeLoosely(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
