/**
 * Does a URL name a login? Judged by its address alone, and rather too seldom than too often: a path that says
 * it (`/users/sign_in`, `/wp-login.php`, `/anmelden`), a query that says it (`?action=login`), or a path that may
 * mean it (`/auth`, `/session/new`) together with a parameter that says where to go afterwards.
 */
import {
  ACCOUNT_SEGMENTS,
  LOGIN_COMPANIES,
  LOGIN_HOST_LABELS,
  LOGIN_SEGMENTS,
  MAYBE_LOGIN_SEGMENTS,
  MAYBE_PAGE_PARAMETERS,
  PAGE_PARAMETERS,
  RETURN_PARAMETERS,
} from './login-words.ts';

/** Longer addresses are cut: nobody hides a login behind so much. */
const MAX_PATH_CHARS = 500;
const MAX_QUERY_CHARS = 4000;

export function isLoginUrl(url: string): boolean {
  const { path, query } = splitUrl(url);
  const segments = foldSegments(path);
  if (segments.some((segment) => LOGIN_SEGMENTS.has(segment))) return true;
  // Rails and its kin: the form for a new session is the login.
  const last = segments.at(-1);
  if (last === 'new' && /^(?:user|admin)?sessions?$/.test(segments.at(-2) ?? '')) return true;
  if (query === '') return false;
  const parameters = readParameters(query);
  if (parameters.some(namesLogin)) return true;
  if (!segments.some((segment) => MAYBE_LOGIN_SEGMENTS.has(segment))) return false;
  return parameters.some(({ name }) => RETURN_PARAMETERS.has(name));
}

/** A login or what stands beside it: a form for new accounts, a way back to a lost password. */
export function isAccountUrl(url: string): boolean {
  if (isLoginUrl(url)) return true;
  const segments = foldSegments(splitUrl(url).path);
  if (segments.at(-2) === 'password' && /^(?:new|reset|forgot|email)$/.test(segments.at(-1) ?? ''))
    return true;
  return segments.some((segment) => ACCOUNT_SEGMENTS.has(segment));
}

/** `/login`, whatever its query: links to it differ in where they lead back to. */
export function isLoginPath(path: string): boolean {
  return foldSegments(path).some((segment) => LOGIN_SEGMENTS.has(segment));
}

/** A host that serves nothing but logins: `login.`, `accounts.`, `sso.`, or a company that makes them. */
export function isLoginHost(host: string): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  const labels = name.split('.');
  // Only as a part of something else: auth.gr is a university.
  if (labels.length >= 3 && LOGIN_HOST_LABELS.has(labels[0] ?? '')) return true;
  return LOGIN_COMPANIES.some((company) => name.endsWith(`.${company}`));
}

export function hostOf(url: string): string {
  const start = url.indexOf('://') + 3;
  const length = url.slice(start).search(/[/?#]/);
  return length === -1 ? url.slice(start) : url.slice(start, start + length);
}

function splitUrl(url: string): { path: string; query: string } {
  const start = url.indexOf('://') + 3;
  const hashAt = url.indexOf('#', start);
  const whole = hashAt === -1 ? url : url.slice(0, hashAt);
  const questionAt = whole.indexOf('?', start);
  const pathAt = whole.indexOf('/', start);
  const pathEnd = questionAt === -1 ? whole.length : questionAt;
  return {
    path:
      pathAt === -1 || pathAt > pathEnd
        ? ''
        : whole.slice(pathAt, Math.min(pathEnd, pathAt + MAX_PATH_CHARS)),
    query: questionAt === -1 ? '' : whole.slice(questionAt + 1, questionAt + 1 + MAX_QUERY_CHARS),
  };
}

function foldSegments(path: string): string[] {
  return path.split('/').filter(Boolean).map(fold);
}

const FILE_ENDING = /\.(?:php\d?|aspx?|jspx?|jsf|html?|do|action|cgi|pl|cfm|xhtml|seam|dll|exe)$/;

/** `Sign-In.aspx;jsessionid=1` → `signin`. */
function fold(segment: string): string {
  const plain = decode(segment).toLowerCase().split(';', 1)[0] ?? '';
  return plain.replace(FILE_ENDING, '').replace(/[-_+ .']/g, '');
}

/** `route=account/login`, `title=Special:UserLogin`, `view=login`. */
function namesLogin({ name, value }: { name: string; value: string }): boolean {
  const parts = decode(value).split(/[/:.]/);
  const isPage = PAGE_PARAMETERS.has(name) || (MAYBE_PAGE_PARAMETERS.has(name) && parts.length > 1);
  return isPage && parts.some((part) => LOGIN_SEGMENTS.has(fold(part)));
}

function readParameters(query: string): { name: string; value: string }[] {
  return query.split('&').map((pair) => {
    const equalsAt = pair.indexOf('=');
    const name = equalsAt === -1 ? pair : pair.slice(0, equalsAt);
    return { name: fold(name), value: equalsAt === -1 ? '' : pair.slice(equalsAt + 1) };
  });
}

function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
