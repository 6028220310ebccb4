/**
 * One line of a list of proxies. Three ways to write one are understood:
 *
 *   protocol://user:password@host:port     as a URL: %40 in user name or password is an @
 *   user:password@host:port, host:port     the same without its protocol, which is http then
 *   host:port:user:password                as many sellers write it: nothing is decoded
 *
 * Passwords hold whatever their makers liked. A URL is therefore not left to the URL parser: the last @ ends user name
 * and password, the first colon before it ends the user name, and a % that begins no sequence is just a %.
 */
import {
  type AccessReading,
  type GivenAccess,
  type ProxyPlace,
  readAccess,
  writePlace,
} from './proxy-place.ts';

const LONGEST_LINE = 2000;
const SELLER_FORM = /^([^:@[\]/\s]+):(\d{1,5}):([^:]*):(.*)$/;
const PLAIN_PLACE =
  /^(?:(?:https?|socks5h?):\/\/)?(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+){1,20}|\[[0-9a-f:.]{2,60}\])(?::\d{1,7})?\/?$/i;
/** Before the @ of a line without a protocol: both `user:password` and the seller's `host:port:user:p`. */
const EITHER_FORM = /^[^:@]+:\d{1,5}:[^:]*:?.*@/;

/** Undefined: nothing stands there, or a comment. */
export function readProxyLine(text: string): AccessReading | undefined {
  const line = text.replace(/^\ufeff/, '').trim();
  if (line === '' || line.startsWith('#')) return undefined;
  if (line.length > LONGEST_LINE) return refuse(`it is longer than ${LONGEST_LINE} characters`);
  if (line.includes('\ufffd')) return refuse('it contains characters that could not be read as UTF-8');
  const [, scheme, rest = line] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(line) ?? [];
  if (scheme !== undefined) return readUrl(scheme, rest);
  if (rest.includes('@')) {
    if (EITHER_FORM.test(rest))
      return refuse('it can be read in two ways: write it as protocol://user:password@host:port');
    return readUrl('http', rest);
  }
  const [, host, port, username, password] = SELLER_FORM.exec(rest) ?? [];
  if (host === undefined || port === undefined) return readUrl('http', rest);
  return readAccess({ protocol: 'http', host, port, username, password });
}

/** `socks5h` only says that names are looked up by the proxy, which they always are. */
function readUrl(scheme: string, rest: string): AccessReading {
  const protocol = /^socks5h$/i.test(scheme) ? 'socks5' : scheme;
  const at = rest.lastIndexOf('@');
  const user = readUserinfo(rest.slice(0, Math.max(0, at)));
  if (user === undefined) return refuse('its user name or password holds a %-sequence that is no UTF-8');
  const place = rest.slice(at + 1).replace(/\/$/, '');
  if (/[/?#\\]/.test(place)) return refuse('something stands behind its port');
  const [, host, port] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(place) ?? [];
  if (host === undefined || port === undefined) {
    return refuse(/^\[[^\]]*\]$|^[^:]*$/.test(place) ? 'it names no port' : 'it does not end in host:port');
  }
  return readAccess({ protocol, host, port, ...user });
}

function readUserinfo(text: string): Pick<GivenAccess, 'username' | 'password'> | undefined {
  const colon = text.indexOf(':');
  const username = decodePercent(colon === -1 ? text : text.slice(0, colon));
  const password = decodePercent(colon === -1 ? '' : text.slice(colon + 1));
  return username === undefined || password === undefined ? undefined : { username, password };
}

/** Undefined: the bytes that are meant are no text. */
function decodePercent(text: string): string | undefined {
  try {
    return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => decodeURIComponent(run));
  } catch {
    return undefined;
  }
}

/**
 * A line as it may be shown. Of one that was understood all but the password; of one that was not, nobody can say
 * which part of it is the password: only what has no room for one is shown.
 */
export function showProxyLine(text: string, place: ProxyPlace | undefined): string {
  if (place !== undefined) return writePlace(place);
  const line = text.replace(/^\ufeff/, '').trim();
  if (PLAIN_PLACE.test(line)) return line;
  const scheme = /^(?:https?|socks[45]?h?):\/\//i.exec(line)?.[0] ?? '';
  return `${scheme}***`;
}

function refuse(reason: string): AccessReading {
  return { kind: 'refused', reason };
}
