/**
 * Session ids in URLs: every visit mints a new one, so a site that writes them into its links looks endless.
 * They are dropped from the key of a URL, in the query (`?PHPSESSID=…`), as a path parameter
 * (`/page;jsessionid=…`) and as ASP.NET's cookieless segment (`/(S(…))/page`).
 */

/** Names that servers reserve for sessions: whatever the value, it is one. */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'jsessionid',
  'phpsessid',
  'asp.net_sessionid',
  'cftoken',
  'oscsid',
  'zenid',
  'xtcsid',
  'bv_sessionid',
]);

/** Classic ASP appends eight random letters to its name. */
const ASP_NAME_PREFIX = 'aspsessionid';

/** Names that people also use for real things (`?sid=5`, `?session=keynote`): the value has to look minted. */
const AMBIGUOUS_NAMES: ReadonlySet<string> = new Set([
  's',
  'sid',
  'ssid',
  'sess',
  'sessid',
  'sess_id',
  'session',
  'sessionid',
  'session_id',
  'session-id',
  'sessionkey',
  'session_key',
  'sessiontoken',
  'session_token',
  'usersid',
]);

export function isSessionParameter(name: string, value: string): boolean {
  const lowerName = name.toLowerCase();
  if (AMBIGUOUS_NAMES.has(lowerName)) return isTokenLike(value);
  return RESERVED_NAMES.has(lowerName) || lowerName.startsWith(ASP_NAME_PREFIX);
}

const MIN_TOKEN_LENGTH = 16;
const MIN_DIGITS_ONLY_TOKEN_LENGTH = 20;
const UUID = /^\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?$/i;
const ALPHANUMERIC = /^[0-9a-z]+$/i;

/**
 * Whether a value looks drawn at random: a UUID, a very long number, or at least 16 letters and digits that
 * change between the two three times or more. `opening2024keynote` changes twice: it was written by a person.
 */
export function isTokenLike(value: string): boolean {
  if (value.length < MIN_TOKEN_LENGTH) return false;
  if (!ALPHANUMERIC.test(value)) return UUID.test(value);
  const changes = countLetterDigitChanges(value);
  if (changes === 0) return isDigit(value.charCodeAt(0)) && value.length >= MIN_DIGITS_ONLY_TOKEN_LENGTH;
  return changes >= 3;
}

/** How often the text passes from digits to other characters or back. */
export function countLetterDigitChanges(text: string): number {
  let changes = 0;
  let wasDigit = isDigit(text.charCodeAt(0));
  for (let index = 1; index < text.length; index++) {
    const nowDigit = isDigit(text.charCodeAt(index));
    if (nowDigit !== wasDigit) changes++;
    wasDigit = nowDigit;
  }
  return changes;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** `(S(24 characters))`, also with the A() and F() parts that ASP.NET puts beside it. */
const ASP_NET_SEGMENT = /^\((?:[AFSX]\([0-9A-Za-z_-]+\))+\)$/;

/** The path without session ids. May leave dot segments behind (`/a/..;jsessionid=1`): the caller resolves. */
export function stripSessionFromPath(path: string): string {
  const mayHoldParameter = path.includes(';');
  if (!mayHoldParameter && !path.includes('/(')) return path;

  const kept: string[] = [];
  for (const segment of path.split('/')) {
    const bare = mayHoldParameter && segment.includes(';') ? stripSessionParameters(segment) : segment;
    if (!ASP_NET_SEGMENT.test(bare)) kept.push(bare);
  }
  // The empty text before the first slash is always kept, so a lone `/(S(…))` leaves the root.
  return kept.length === 1 ? '/' : kept.join('/');
}

function stripSessionParameters(segment: string): string {
  const [name = '', ...parameters] = segment.split(';');
  const kept = parameters.filter((parameter) => {
    const equalsAt = parameter.indexOf('=');
    if (equalsAt === -1) return true;
    return !isSessionParameter(parameter.slice(0, equalsAt), parameter.slice(equalsAt + 1));
  });
  return kept.length === parameters.length ? segment : [name, ...kept].join(';');
}
