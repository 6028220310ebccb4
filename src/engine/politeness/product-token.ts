/** The part of a user agent that robots.txt groups are matched against (RFC 9309 §2.2.1). */
import { extractProductToken } from './robots-match.ts';

export function productToken(userAgent: string): string {
  return extractProductToken(userAgent) ?? 'Forager';
}
