/** From what a fetch brought to the visit that is written down. */
import type { DomainSession } from './domain-session.ts';
import { type FetchResult, headerValue, type RawHeaders } from './fetch/fetch-result.ts';
import type { Outcome } from './outcome.ts';
import type { DueUrl, PageRecord, Visit } from './visit.ts';

export function makeVisit(
  session: DomainSession,
  due: DueUrl,
  outcome: Outcome,
  fetchedAt: Date,
  result: FetchResult,
  page: PageRecord | undefined,
): Visit {
  const headers = result.kind === 'failure' ? [] : result.headers;
  return {
    lease: session.lease,
    due,
    outcome,
    fetchedAt,
    durationMs: result.timing.durationMs,
    proxyId: result.proxyId,
    bytes: result.kind === 'response' ? result.rawBody.length : 0,
    // An unchanged page may confirm its validators or leave them out; what we know stays true.
    etag: page === undefined ? due.etag : validator(headers, 'etag'),
    lastModified: page === undefined ? due.lastModified : validator(headers, 'last-modified'),
    page,
    isDomainHealthy: session.confirmedCount > 0,
  };
}

const MAX_VALIDATOR_CHARS = 1024;

/** A validator must be sent back whole or not at all. */
export function validator(headers: RawHeaders, name: string): string | undefined {
  const value = headerValue(headers, name);
  return value !== undefined && value.length <= MAX_VALIDATOR_CHARS ? value : undefined;
}
