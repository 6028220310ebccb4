/** Visits that were ordered, beside those of URLs that were found: what differs when they are written down. */
import type { Lease, Visit } from '../visit.ts';
import type { OwnCandidate } from './batch.ts';

/**
 * Not what a parser is to read first, and not an order that waits for its domain to rest: the frontier would take it
 * for a URL of its own.
 */
export function closesUrl({ due, outcome, isLeftToParser }: Visit): boolean {
  return isLeftToParser !== true && !(due.task !== undefined && outcome.kind === 'throttled');
}

/** A URL that was ordered may be known to nobody yet. */
export function taskCandidates(visits: readonly Visit[]): OwnCandidate[] {
  return visits.flatMap((visit) => {
    const { lease, due, isLeftToParser } = visit;
    if (due.task === undefined || !(closesUrl(visit) || isLeftToParser)) return [];
    const { hash, url, depth, priority, isSeed, redirectCount } = due;
    const candidate = { hash, url, depth, priority, isSeed, redirectCount, template: undefined };
    return [{ lease, candidate }];
  });
}

/**
 * One row is written for a URL however often it was visited, as when the redirect of an order leads to a page that is
 * being read anyway: what was seen last counts.
 */
export function lastOfEachUrl(visits: readonly Visit[]): readonly Visit[] {
  if (!visits.some(({ due }) => due.task !== undefined)) return visits;
  const last = new Map<Lease, Map<string, Visit>>();
  for (const visit of visits) {
    const ofLease = last.get(visit.lease) ?? new Map<string, Visit>();
    last.set(visit.lease, ofLease);
    ofLease.set(visit.due.id, visit);
  }
  return visits.filter((visit) => last.get(visit.lease)?.get(visit.due.id) === visit);
}
