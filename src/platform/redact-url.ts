const UNREADABLE = '(a URL that cannot be read)';

/**
 * A connection URL fit for logs and messages: user, host and database stay, secrets go.
 * What cannot be parsed is not shown at all, because nobody can say which part of it is the secret.
 */
export function redactUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return UNREADABLE;
  }
  // Without its slashes a URL has no user and host, only text that may hold a password.
  if (url.host === '' && url.pathname.includes('@')) return UNREADABLE;
  if (url.password !== '') url.password = '***';
  for (const name of [...url.searchParams.keys()]) {
    if (/pass|secret|token|key/i.test(name)) url.searchParams.set(name, '***');
  }
  return url.toString();
}

/**
 * Text that was meant as a URL of a site, without the user and password that it may hold: whatever stands before the
 * last @ of what names the host. Where a password may stand (a colon that begins no port) all up to the last @ of the
 * text goes: a password may have a slash in it.
 */
export function hideUserinfo(text: string): string {
  // An address of a person holds no secret.
  if (/^\s*mailto:/i.test(text)) return text;
  const lead = /^\s*(?:[a-z][a-z0-9+.-]*:(?=[/\\]))?[/\\]*/i.exec(text)?.[0] ?? '';
  const rest = text.slice(lead.length);
  const end = rest.search(/[/?#\\]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  const at = /:(?!\d*$)/.test(authority) ? rest.lastIndexOf('@') : authority.lastIndexOf('@');
  return at === -1 ? text : `${lead}***${rest.slice(at)}`;
}
