import { canonicalDomain, registrableDomain } from './canonical-domain.ts';

export type ScopeKind = 'host' | 'domain' | 'any';

export interface ScopeOptions {
  /** `host`: the seeds' own canonical domains; `domain`: anything under their registrable domains. */
  readonly scope: ScopeKind;
  /** Canonical domain names of the seeds. */
  readonly seeds: readonly string[];
  /** When there are any, a discovered URL must match at least one. */
  readonly include: readonly RegExp[];
  /** No URL may match any. */
  readonly exclude: readonly RegExp[];
  readonly maxDepth: number;
  /** A longer URL is taken for one that patterns rule out, whatever they are. */
  readonly longestMatched?: number;
}

export type Admission =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly reason: 'scope' | 'include' | 'exclude' | 'depth' };

export interface Scope {
  /**
   * Whether a URL belongs to the crawl. `domain` is its canonical domain; depth 0 means it is a seed.
   * A seed need not match `include` (it is where the search for matching pages starts), but `exclude` is a
   * prohibition and holds for seeds too.
   */
  admits(url: string, domain: string, depth: number): Admission;
  /** Whether patterns forbid a URL, wherever it lies. */
  excludes(url: string): boolean;
  /** Widens the crawl while it runs, for a seed that redirects to another domain. */
  addSeedDomain(domain: string): void;
}

export function makeScope(options: ScopeOptions): Scope {
  const { scope, maxDepth, longestMatched = Number.POSITIVE_INFINITY } = options;
  const include = options.include.map(makeStateless);
  const exclude = options.exclude.map(makeStateless);
  const seedNames = new Set<string>();

  function toScopeName(domain: string): string {
    return scope === 'domain' ? registrableDomain(domain) : domain;
  }
  function addSeedDomain(domain: string): void {
    seedNames.add(toScopeName(canonicalDomain(domain) ?? domain));
  }
  for (const seed of options.seeds) addSeedDomain(seed);

  function excludes(url: string): boolean {
    return exclude.length > 0 && (url.length > longestMatched || matchesAny(exclude, url));
  }

  return {
    excludes,
    admits(url, domain, depth) {
      if (depth > maxDepth) return REFUSED_BY_DEPTH;
      if (scope !== 'any' && !seedNames.has(toScopeName(domain))) return REFUSED_BY_SCOPE;
      const isTooLong = url.length > longestMatched;
      if (excludes(url)) return REFUSED_BY_EXCLUDE;
      if (depth > 0 && include.length > 0 && (isTooLong || !matchesAny(include, url)))
        return REFUSED_BY_INCLUDE;
      return ADMITTED;
    },
    addSeedDomain,
  };
}

// Asked for every link: the answers are shared.
const ADMITTED: Admission = { admitted: true };
const REFUSED_BY_DEPTH: Admission = { admitted: false, reason: 'depth' };
const REFUSED_BY_SCOPE: Admission = { admitted: false, reason: 'scope' };
const REFUSED_BY_EXCLUDE: Admission = { admitted: false, reason: 'exclude' };
const REFUSED_BY_INCLUDE: Admission = { admitted: false, reason: 'include' };

function matchesAny(patterns: readonly RegExp[], url: string): boolean {
  for (const pattern of patterns) {
    if (pattern.test(url)) return true;
  }
  return false;
}

/** A `g` or `y` pattern remembers where its last match ended and would answer differently each time. */
function makeStateless(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
}

export type CompiledPattern =
  | { readonly kind: 'ok'; readonly pattern: RegExp }
  | { readonly kind: 'bad'; readonly message: string };

const MAX_PATTERN_LENGTH = 1000;

/** A pattern as typed for --include or --exclude: a JavaScript regular expression, found anywhere in the URL. */
export function compilePattern(text: string): CompiledPattern {
  if (text.trim() === '') return { kind: 'bad', message: 'the pattern is empty and would match every URL' };
  if (text.length > MAX_PATTERN_LENGTH) {
    return { kind: 'bad', message: `the pattern is longer than ${MAX_PATTERN_LENGTH} characters` };
  }
  try {
    return { kind: 'ok', pattern: new RegExp(text) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { kind: 'bad', message: `"${text}" is not a regular expression: ${detail}` };
  }
}
