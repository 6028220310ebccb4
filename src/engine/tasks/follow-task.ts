/**
 * An order is for what is found at its URL, wherever that has moved to: within its domain the task goes on there, under
 * the same lease, robots and gate; where it leads to another domain, a task of that domain goes on (follow-moves.ts).
 */
import type { CrawlSettings } from '../crawl-settings.ts';
import type { DomainSession } from '../domain-session.ts';
import type { FetchResult } from '../fetch/fetch-result.ts';
import { canonicalDomain } from '../frontier/canonical-domain.ts';
import { hashUrlKey, normalizeUrl } from '../frontier/normalize-url.ts';
import type { Arrival } from '../journey.ts';
import { makeVisit } from '../make-visit.ts';
import type { Outcome } from '../outcome.ts';
import { isLoginRedirect } from '../politeness/login-wall.ts';
import type { DueUrl, Visit } from '../visit.ts';

export interface TaskRedirect {
  readonly session: DomainSession;
  readonly due: DueUrl;
  readonly result: Extract<FetchResult, { kind: 'redirect' }>;
  readonly outcome: Outcome;
  readonly fetchedAt: Date;
  readonly settings: Pick<CrawlSettings, 'maxRedirects' | 'stripTrailingSlash'>;
}

export function followTask(redirect: TaskRedirect): Arrival {
  const { session, due, result, outcome, settings } = redirect;
  const { location } = result;
  if (isLoginRedirect(due.url, location)) {
    return arrive(redirect, { ...outcome, login: 'redirect', message: `leads to a login: ${location}` });
  }
  const redirectCount = due.redirectCount + 1;
  const target = normalizeUrl(location, { stripTrailingSlash: settings.stripTrailingSlash });
  const isLoop = target.kind === 'bad' || target.url === due.url || redirectCount > settings.maxRedirects;
  if (isLoop) return arrive(redirect, { ...outcome, kind: 'redirect-loop', message: location });
  const hash = hashUrlKey(target.key);
  const isRespelled = hash.equals(due.hash);
  if (isRespelled) return { kind: 'respelled', due: { ...due, url: target.url, redirectCount }, result };
  if (canonicalDomain(target.url) !== session.lease.domain) {
    return arrive(redirect, outcome, { movedTo: target.url });
  }
  const next: DueUrl = {
    ...{ hash, id: hash.toString('latin1'), url: target.url, redirectCount, task: due.task },
    ...{ depth: due.depth, priority: due.priority, isSeed: false, errorCount: 0 },
    ...{ etag: undefined, lastModified: undefined, known: undefined },
  };
  return { ...arrive(redirect, outcome, { isStep: true }), next };
}

function arrive(
  { session, due, result, fetchedAt }: TaskRedirect,
  outcome: Outcome,
  more: Partial<Visit> = {},
): Extract<Arrival, { kind: 'visited' }> {
  const visit = makeVisit(session, due, outcome, fetchedAt, result, undefined);
  return { kind: 'visited', visit: { ...visit, ...more }, found: { own: [], foreign: new Map() }, result };
}
