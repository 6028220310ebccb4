/** What is compared when a rule meets a URL: both sides cut and escaped the way the reference parser does it. */

/**
 * The part of a URL that patterns are held against: path, parameters and query, as written. Works on anything
 * a person may type, by the reference's reading: without a scheme, what stands before the first slash is a host.
 */
export function extractPathAndQuery(url: string): string {
  const searchStart = url.startsWith('//') ? 2 : 0;
  const firstDelimiter = findDelimiter(url, searchStart);
  if (firstDelimiter === -1) return '/';
  const schemeEnd = url.indexOf('://', searchStart);
  const pathStart =
    schemeEnd === -1 || firstDelimiter < schemeEnd ? firstDelimiter : findDelimiter(url, schemeEnd + 3);
  if (pathStart === -1) return '/';
  const hash = url.indexOf('#', searchStart);
  if (hash !== -1 && hash < pathStart) return '/';
  const path = hash === -1 ? url.slice(pathStart) : url.slice(pathStart, hash);
  return url.charCodeAt(pathStart) === SLASH ? path : `/${path}`;
}

const SLASH = 0x2f;
const QUESTION_MARK = 0x3f;
const SEMICOLON = 0x3b;

function findDelimiter(url: string, from: number): number {
  for (let index = from; index < url.length; index += 1) {
    const code = url.charCodeAt(index);
    if (code === SLASH || code === QUESTION_MARK || code === SEMICOLON) return index;
  }
  return -1;
}

/**
 * Brings a pattern into the form URLs have: octets outside ASCII percent-encoded, escapes in upper case. Escapes
 * are never decoded: `%2F` and `/` differ. Takes one character per octet.
 */
export function escapePattern(octets: string): string {
  if (!/[\x80-\xff]|%(?:[0-9A-Fa-f][a-f]|[a-f][0-9A-Fa-f])/.test(octets)) return octets;
  return octets.replace(/%[0-9A-Fa-f]{2}|[\x80-\xff]/g, (found) =>
    found.length === 3 ? found.toUpperCase() : `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Gives a URL the escapes patterns have. A verdict takes URLs as they are, as the reference does; who holds one
 * that no serialiser has gone over (`/caf%c3%a9`, `/café`) passes it through here first.
 */
export function escapeUrlForRobots(url: string): string {
  return /[^\x00-\x7f]/.test(url)
    ? escapePattern(Buffer.from(url, 'utf8').toString('latin1'))
    : escapePattern(url);
}
