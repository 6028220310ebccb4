/**
 * What a visit teaches us about its domain: the breaker, the counters that lead to a change of state, and
 * how long the domain rests. The URL's own fate is decided in ingest/url-ending.ts.
 */
import { COOLDOWN_MS, settleFailing } from './claim/settle-domain.ts';
import type { CrawlSettings } from './crawl-settings.ts';
import type { DomainSession } from './domain-session.ts';
import { CONSEQUENCES, type Outcome } from './outcome.ts';

/** A breaker that opens this often without closing in between has waited enough. */
const MAX_BREAKER_OPENINGS = 3;
const MAX_CONSECUTIVE_REFUSALS = 10;
const MAX_CONSECUTIVE_THROTTLES = 5;
const FIRST_THROTTLE_HOLD_MS = 10_000;
/** "Retry-After: 0" is still a request to slow down. */
const LEAST_THROTTLE_HOLD_MS = 1000;

export function noteVisit(
  session: DomainSession,
  outcome: Outcome,
  settings: Pick<CrawlSettings, 'maxHoldMs'>,
  nowMs: number,
): void {
  const consequence = CONSEQUENCES[outcome.kind];
  if (consequence.breaker === 'success') session.gate.breaker.recordSuccess();
  if (consequence.breaker === 'failure') session.gate.breaker.recordFailure(nowMs);
  if (consequence.isError) {
    session.consecutiveErrors += 1;
    session.lastFailure = { kind: outcome.kind, message: describe(outcome) };
  } else {
    session.consecutiveErrors = 0;
    session.successCount += 1;
  }
  session.consecutiveRefusals = outcome.kind === 'refused' ? session.consecutiveRefusals + 1 : 0;
  if (outcome.kind !== 'throttled') session.consecutiveThrottles = 0;
  // Requests that were under way when the rest began are part of the same answer.
  else if (session.gate.heldUntilMs() <= nowMs) session.consecutiveThrottles += 1;
  if (outcome.kind === 'throttled') rest(session, outcome, settings, nowMs);
  if (session.consecutiveRefusals >= MAX_CONSECUTIVE_REFUSALS) {
    session.earlyEnd ??= settleFailing({ kind: 'refused', message: describe(outcome) });
  }
  if (session.gate.breaker.timesOpened >= MAX_BREAKER_OPENINGS) {
    session.earlyEnd ??= settleFailing({ kind: outcome.kind, message: describe(outcome) });
  }
}

/** The whole domain rests for as long as it asked, or ever longer when it did not say. */
function rest(
  session: DomainSession,
  outcome: Outcome,
  settings: Pick<CrawlSettings, 'maxHoldMs'>,
  nowMs: number,
): void {
  const ownMs = FIRST_THROTTLE_HOLD_MS * 2 ** Math.max(0, session.consecutiveThrottles - 1);
  const holdMs = Math.max(outcome.holdMs ?? ownMs, LEAST_THROTTLE_HOLD_MS);
  session.gate.hold(nowMs + holdMs);
  if (session.consecutiveThrottles >= MAX_CONSECUTIVE_THROTTLES) {
    session.earlyEnd ??= {
      status: 'blocked',
      code: 'rate_limited',
      reason: `answered ${outcome.httpStatus} ${session.consecutiveThrottles} times in a row`,
      restMs: COOLDOWN_MS.rate_limited,
    };
  } else if (holdMs > settings.maxHoldMs) {
    session.earlyEnd ??= {
      status: 'active',
      code: 'held',
      reason: `asked us to wait ${Math.round(holdMs / 1000)} s (status ${outcome.httpStatus})`,
      restMs: holdMs,
    };
  }
}

function describe(outcome: Outcome): string {
  const { phrase } = CONSEQUENCES[outcome.kind];
  const status = outcome.httpStatus === undefined ? '' : ` (status ${outcome.httpStatus})`;
  return outcome.message ?? `${phrase}${status}`;
}
