/** What belongs to a domain of the standing order: its own rules, and the worker's where it has none. */
import type { ClaimedDomain } from '../claim/claim-domains.ts';
import { compilePattern, makeScope, type Scope, type ScopeKind } from './scope.ts';

/**
 * Longer URLs are not held against the patterns of a domain but not followed: patterns are checked for how long they
 * take on a URL of this length.
 */
export const LONGEST_MATCHED = 2048;

export interface ScopeDefaults {
  readonly scope: ScopeKind;
  readonly maxDepth: number;
}

export type DomainRules = Pick<ClaimedDomain, 'domain' | 'scope' | 'include' | 'exclude' | 'max_depth'>;

export function scopeOfDomain(rules: DomainRules, defaults: ScopeDefaults): Scope {
  return makeScope({
    scope: rules.scope ?? defaults.scope,
    seeds: [rules.domain],
    include: compileAll(rules.include),
    exclude: compileAll(rules.exclude),
    maxDepth: rules.max_depth ?? defaults.maxDepth,
    longestMatched: LONGEST_MATCHED,
  });
}

/** What is found anywhere is found after anything; but to try anything first, from everywhere on, takes long. */
export function withoutLead(pattern: string): string {
  return pattern.replace(/^\.\*(?=[^?])/, '');
}

/** Patterns were checked when they were given; one that does not compile any more rules nothing in or out. */
function compileAll(patterns: readonly string[] | null): RegExp[] {
  return (patterns ?? []).flatMap((text) => {
    const compiled = compilePattern(withoutLead(text));
    return compiled.kind === 'ok' ? [compiled.pattern] : [];
  });
}
