/** Under which heading the ways a visit can fail are counted. */
import type { OutcomeKind } from './outcome.ts';

export const ERROR_CATEGORIES = ['network', 'http', 'robots', 'parse', 'validation', 'proxy'] as const;
export type ErrorCategory = (typeof ERROR_CATEGORIES)[number];

const CATEGORIES: Partial<Record<OutcomeKind, ErrorCategory>> = {
  timeout: 'network',
  'connection-lost': 'network',
  unreachable: 'network',
  'tls-failed': 'network',
  'robots-denied': 'robots',
  'private-address': 'validation',
};

/** Whatever is not of the connection, of robots.txt or refused by ourselves is something the server said. */
export function errorCategory(kind: OutcomeKind): ErrorCategory {
  return CATEGORIES[kind] ?? 'http';
}
