/**
 * The rules one agent must obey, and the verdict on one URL. A verdict is asked for every URL, so the rules are
 * laid out for it once: sorted by the literal beginning of their pattern, so that one binary search finds the
 * few that can match. No pattern ever becomes a regular expression: a hostile one would backtrack for ever.
 */
import { escapePattern, extractPathAndQuery } from './robots-path.ts';
import type { RobotsRule, RobotsTxt } from './robots-txt.ts';

export interface RobotsVerdict {
  readonly allowed: boolean;
  /** The line that decided, as written; undefined when no rule matches. */
  readonly rule: string | undefined;
  readonly line: number | undefined;
  /** Whether the agent has a group of its own, obeys the one for `*`, or none at all. */
  readonly group: 'specific' | 'global' | 'none';
}

/**
 * Picks the groups that name the agent and merges them; only without any do those for `*` apply. The agent is
 * a product token or a User-Agent header that begins with one.
 */
export function rulesForAgent(robots: RobotsTxt, userAgent: string): RobotsRules {
  const token = extractProductToken(userAgent);
  const specific = token === undefined ? undefined : mergeGroups(robots, token);
  if (specific !== undefined) return new RobotsRules('specific', specific);
  const global = mergeGroups(robots, '*');
  if (global !== undefined) return new RobotsRules('global', global);
  return new RobotsRules('none', { rules: [], crawlDelaySeconds: undefined });
}

/**
 * `FooBot` of `FooBot/1.2 (+https://…)`, and of `Mozilla/5.0 (compatible; FooBot/1.2)`. Undefined when there is
 * none: `Foo Bar` and `Bot2` are no product tokens, no group can name them, and `*` is all they obey.
 */
export function extractProductToken(userAgent: string): string | undefined {
  if (/^[a-z_-]*$/i.test(userAgent)) return userAgent.toLowerCase();
  const compatible = /^Mozilla\/\S+ \(compatible; ?([a-z_-]+)[/;) ]/i.exec(userAgent)?.[1];
  return (compatible ?? /^([a-z_-]+)\//i.exec(userAgent)?.[1])?.toLowerCase();
}

interface MergedGroup {
  readonly rules: RobotsRule[];
  readonly crawlDelaySeconds: number | undefined;
}

function mergeGroups(robots: RobotsTxt, token: string): MergedGroup | undefined {
  const rules: RobotsRule[] = [];
  let crawlDelaySeconds: number | undefined;
  let isNamed = false;
  for (const group of robots.groups) {
    const agentIndex = group.agents.indexOf(token);
    if (agentIndex === -1) continue;
    isNamed = true;
    for (const rule of group.rules) rules.push(rule);
    for (const delay of group.crawlDelays) {
      // Of several delays the longest: the site asked for it somewhere.
      if (agentIndex < delay.agentCount) crawlDelaySeconds = Math.max(delay.seconds, crawlDelaySeconds ?? 0);
    }
  }
  return isNamed ? { rules, crawlDelaySeconds } : undefined;
}

interface CompiledRule {
  /** Length of the escaped pattern in octets: the longest match wins. */
  readonly priority: number;
  readonly isAllow: boolean;
  /** Literal text before the first `*`. */
  readonly prefix: string;
  /** Literal pieces after each `*`. */
  readonly pieces: readonly string[];
  /** The pattern ends in `$`. */
  readonly isAnchored: boolean;
  readonly verdict: RobotsVerdict;
}

/** All rules that begin with the same literal text. */
interface PrefixNode {
  readonly prefix: string;
  /** By falling priority. */
  readonly rules: readonly CompiledRule[];
  /** The node with the longest prefix that begins this one's. */
  readonly parent: PrefixNode | undefined;
  /** Highest priority here and among all parents. */
  readonly maxPriority: number;
}

/**
 * Characters that may be looked at for one URL, some tens of milliseconds: thousands of wildcards against a
 * path of kilobytes are an attack, and what cannot be decided is not fetched.
 */
const MAX_MATCH_WORK = 20_000_000;
const TOO_COSTLY: RobotsVerdict = { allowed: false, rule: undefined, line: undefined, group: 'none' };

export class RobotsRules {
  readonly group: RobotsVerdict['group'];
  readonly crawlDelaySeconds: number | undefined;
  readonly #nodes: readonly PrefixNode[];
  readonly #unmatched: RobotsVerdict;

  constructor(group: RobotsVerdict['group'], merged: MergedGroup) {
    this.group = group;
    this.crawlDelaySeconds = merged.crawlDelaySeconds;
    this.#nodes = buildNodes(compileRules(merged.rules, group));
    this.#unmatched = { allowed: true, rule: undefined, line: undefined, group };
  }

  verdict(url: string): RobotsVerdict {
    const path = extractPathAndQuery(url);
    // RFC 9309 §2.2.2: the file itself may always be fetched, or nobody could learn of a change.
    if (path === '/robots.txt') return this.#unmatched;
    let best: CompiledRule | undefined;
    let workLeft = MAX_MATCH_WORK;
    for (let node = this.#findNode(path); node !== undefined; node = node.parent) {
      if (best !== undefined && best.priority > node.maxPriority) break;
      for (const rule of node.rules) {
        if (best !== undefined && compareRules(best, rule) <= 0) break;
        if (rule.pieces.length > 0) workLeft -= path.length;
        if (workLeft < 0) return TOO_COSTLY;
        if (!matchesAfterPrefix(path, rule)) continue;
        best = rule;
        break;
      }
    }
    return best === undefined ? this.#unmatched : best.verdict;
  }

  /**
   * The node with the longest prefix that begins the path. Every prefix of the path sorts at or before it, and
   * what sorts between such a prefix and the path begins with that prefix: so the last node at or before the
   * path has the wanted one as itself or among its parents.
   */
  #findNode(path: string): PrefixNode | undefined {
    let low = 0;
    let high = this.#nodes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const node = this.#nodes[middle];
      if (node !== undefined && node.prefix <= path) low = middle + 1;
      else high = middle;
    }
    let node = this.#nodes[low - 1];
    while (node !== undefined && !path.startsWith(node.prefix)) node = node.parent;
    return node;
  }
}

/** Longest first; of equals allow first, then the earlier line. */
function compareRules(left: CompiledRule, right: CompiledRule): number {
  if (left.priority !== right.priority) return right.priority - left.priority;
  if (left.isAllow !== right.isAllow) return left.isAllow ? -1 : 1;
  return (left.verdict.line ?? 0) - (right.verdict.line ?? 0);
}

/**
 * Every `*` takes as little as it can: if the rest matches anywhere, it matches after the first find of a piece,
 * so nothing is ever tried twice.
 */
function matchesAfterPrefix(path: string, rule: CompiledRule): boolean {
  let position = rule.prefix.length;
  const lastIndex = rule.pieces.length - 1;
  if (lastIndex === -1) return !rule.isAnchored || path.length === position;
  for (let index = 0; index <= lastIndex; index += 1) {
    const piece = rule.pieces[index] ?? '';
    if (index === lastIndex && rule.isAnchored) {
      return path.length - piece.length >= position && path.endsWith(piece);
    }
    const found = path.indexOf(piece, position);
    if (found === -1) return false;
    position = found + piece.length;
  }
  return true;
}

function compileRules(rules: readonly RobotsRule[], group: RobotsVerdict['group']): CompiledRule[] {
  const compiled = new Map<string, CompiledRule>();
  const add = (pattern: string, rule: RobotsRule): void => {
    const key = `${rule.isAllow ? '+' : '-'}${pattern}`;
    if (!compiled.has(key)) compiled.set(key, compileRule(pattern, rule, group));
  };
  for (const rule of rules) {
    const pattern = escapePattern(rule.pattern);
    add(pattern, rule);
    // The reference reads an allowed index.html (or index.htm…) as leave to fetch its directory too.
    const slash = pattern.lastIndexOf('/');
    if (rule.isAllow && slash !== -1 && pattern.startsWith('/index.htm', slash)) {
      add(`${pattern.slice(0, slash + 1)}$`, rule);
    }
  }
  return [...compiled.values()];
}

function compileRule(pattern: string, rule: RobotsRule, group: RobotsVerdict['group']): CompiledRule {
  const isAnchored = pattern.endsWith('$');
  const [prefix = '', ...pieces] = (isAnchored ? pattern.slice(0, -1) : pattern).split('*');
  // An empty pattern matches everything and forbids nothing.
  const allowed = rule.isAllow || pattern === '';
  const verdict = { allowed, rule: rule.text, line: rule.line, group };
  return { priority: pattern.length, isAllow: rule.isAllow, prefix, pieces, isAnchored, verdict };
}

function buildNodes(rules: readonly CompiledRule[]): PrefixNode[] {
  const byPrefix = new Map<string, CompiledRule[]>();
  for (const rule of rules) {
    const siblings = byPrefix.get(rule.prefix);
    if (siblings === undefined) byPrefix.set(rule.prefix, [rule]);
    else siblings.push(rule);
  }
  const nodes: PrefixNode[] = [];
  let parent: PrefixNode | undefined;
  for (const prefix of [...byPrefix.keys()].sort()) {
    while (parent !== undefined && !prefix.startsWith(parent.prefix)) parent = parent.parent;
    const nodeRules = (byPrefix.get(prefix) ?? []).sort(compareRules);
    const maxPriority = Math.max(nodeRules[0]?.priority ?? 0, parent?.maxPriority ?? 0);
    const node: PrefixNode = { prefix, rules: nodeRules, parent, maxPriority };
    nodes.push(node);
    parent = node;
  }
  return nodes;
}
