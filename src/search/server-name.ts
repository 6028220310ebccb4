import type { Config } from '../platform/config.ts';
import { redactUrl } from '../platform/redact-url.ts';

/** What the server is called in the database and in messages: nothing of its user and its password. */
export function serverName({ searchUrl, searchPrefix }: Pick<Config, 'searchUrl' | 'searchPrefix'>): string {
  const { origin, pathname } = new URL(searchUrl ?? '');
  const url = redactUrl(`${origin}${pathname}`).replace(/\/$/, '');
  return searchPrefix === '' ? url : `${url} (${searchPrefix})`;
}
