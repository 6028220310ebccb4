/**
 * What the answer to a request for robots.txt permits before a line of it is read: RFC 9309 §2.3.1 as a table.
 * Most crawlers fail open on server errors; the RFC says the opposite.
 */

/**
 * - `parse`: the body holds the rules;
 * - `allow-all`: the site has no rules;
 * - `disallow-all`: the rules cannot be known now, so nothing may be fetched;
 * - `defer`: say nothing yet, keep what was known, ask again later.
 */
export type RobotsAccess = 'parse' | 'allow-all' | 'disallow-all' | 'defer';

/**
 * The status is that of the last hop. Redirects are followed before this is asked, so a 3xx here means more than
 * five of them, or one that leads nowhere: the RFC counts that as unavailable, like a 404.
 */
export function robotsAccess(status: number | 'unreachable'): RobotsAccess {
  if (status === 'unreachable') return 'disallow-all';
  // A 4xx by number, but it says "later", not "there are no rules".
  if (status === 429) return 'defer';
  // Only answers a conditional request: what is in the cache still holds.
  if (status === 304) return 'defer';
  if (status >= 200 && status < 300) return 'parse';
  if (status >= 300 && status < 500) return 'allow-all';
  // 5xx, and numbers HTTP does not define.
  return 'disallow-all';
}
