/** Seeds: what a person names. Normalised like any URL, never subject to scope or filters. */

import type { Candidate } from '../visit.ts';
import { canonicalDomain } from './canonical-domain.ts';
import { hashUrlKey, normalizeUrl } from './normalize-url.ts';
import { findHostProblem, findTextProblem } from './seed-problems.ts';

export interface Seed {
  readonly domain: string;
  readonly key: string;
  readonly candidate: Candidate;
}

export type SeedReading = { kind: 'ok'; seed: Seed } | { kind: 'bad'; reason: string };

/** A bare name is taken as an https site, the way a browser's address bar takes it. */
export function readSeed(text: string, stripTrailingSlash: boolean): SeedReading {
  const trimmed = text.trim();
  const isBare = !hasScheme(trimmed);
  const problem = findTextProblem(trimmed, isBare);
  if (problem !== undefined) return { kind: 'bad', reason: problem };
  const normal = normalizeUrl(isBare ? `https://${trimmed}` : trimmed, { stripTrailingSlash });
  if (normal.kind === 'bad') return { kind: 'bad', reason: normal.reason };
  const url = new URL(normal.url);
  const hostProblem = findHostProblem(url, trimmed);
  if (hostProblem !== undefined) return { kind: 'bad', reason: hostProblem };
  const domain = canonicalDomain(url);
  if (domain === undefined) return { kind: 'bad', reason: 'it names no host' };
  const candidate: Candidate = {
    hash: hashUrlKey(normal.key),
    url: normal.url,
    depth: 0,
    priority: 3,
    isSeed: true,
    redirectCount: 0,
    template: undefined,
  };
  return { kind: 'ok', seed: { domain, key: normal.key, candidate } };
}

/** `localhost:8080/x` is a host and a port, not a scheme; nor is `example.com:123456`, whatever that port is. */
export function hasScheme(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) return false;
  const [, host = '', port = ''] = /^([^/?#\s:]+):(\d+)(?:[/?#]|$)/.exec(text) ?? [];
  return port === '' || (port.length > 5 && !/.\../.test(host));
}

export function groupByDomain(seeds: Iterable<Seed>): Map<string, Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  for (const { domain, candidate } of seeds) {
    const group = groups.get(domain);
    if (group === undefined) groups.set(domain, [candidate]);
    else group.push(candidate);
  }
  return groups;
}
