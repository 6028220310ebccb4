/** How many of what. */
import { formatCount } from './format.ts';

/** `verb`: what one does and what several do, such as "is" and "are". */
export function countOf(
  count: number,
  [one, several]: readonly [string, string],
  [does, doTo]: readonly [string, string] = ['', ''],
): string {
  const words = count === 1 ? [one, does] : [several, doTo];
  return [formatCount(count), ...words].filter((word) => word !== '').join(' ');
}

export const PROXIES = ['proxy', 'proxies'] as const;
export const DOMAINS = ['domain', 'domains'] as const;
