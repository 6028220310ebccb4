/**
 * A connection URL fit for logs and messages: user, host and database stay, secrets go.
 * What cannot be parsed is not shown at all, because nobody can say which part of it is the secret.
 */
export function redactUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return '(a URL that cannot be read)';
  }
  if (url.password !== '') url.password = '***';
  for (const name of [...url.searchParams.keys()]) {
    if (/pass|secret|token|key/i.test(name)) url.searchParams.set(name, '***');
  }
  return url.toString();
}
