/**
 * What a visit teaches us about its domain: the breaker, the counters that lead to a change of state, and
 * how long the domain rests. The URL's own fate is decided in ingest/url-ending.ts.
 */
import {
  COOLDOWN_MS,
  type Failure,
  failureClass,
  settleFailing,
  settleWalled,
} from './claim/settle-domain.ts';
import type { CrawlSettings } from './crawl-settings.ts';
import type { DomainSession } from './domain-session.ts';
import { CONSEQUENCES, type Outcome, type OutcomeKind } from './outcome.ts';
import { isLoginWall } from './politeness/login-wall.ts';

/** A breaker that opens this often without closing in between has waited enough. */
const MAX_BREAKER_OPENINGS = 3;
const MAX_CONSECUTIVE_REFUSALS = 10;
const MAX_CONSECUTIVE_THROTTLES = 5;
const LEAST_LOGIN_WALLS = 10;
const FIRST_THROTTLE_HOLD_MS = 10_000;
/** "Retry-After: 0" is still a request to slow down. */
const LEAST_THROTTLE_HOLD_MS = 1000;

export function noteVisit(
  session: DomainSession,
  outcome: Outcome,
  settings: Pick<CrawlSettings, 'maxHoldMs'>,
  nowMs: number,
  /** An order for one page says little about the rest of the domain: it takes many in a row to close it. */
  isTask = false,
): void {
  const { breaker, isError } = CONSEQUENCES[outcome.kind];
  if (breaker === 'success') session.gate.breaker.recordSuccess();
  if (breaker === 'failure') session.gate.breaker.recordFailure(nowMs);
  if (isAnswer(outcome)) session.answerCount += 1;
  if (isError) noteError(session, outcome, isTask);
  else session.consecutiveErrors = 0;
  if (isWorthReading(outcome)) {
    session.successCount += 1;
    session.consecutiveLoginWalls = 0;
  }
  if (isLoginWall(outcome.login)) noteLoginWall(session, outcome, isTask);
  session.consecutiveRefusals = outcome.kind === 'refused' ? session.consecutiveRefusals + 1 : 0;
  if (outcome.kind !== 'throttled') session.consecutiveThrottles = 0;
  // Requests that were under way when the rest began are part of the same answer.
  else if (session.gate.heldUntilMs() <= nowMs) session.consecutiveThrottles += 1;
  if (outcome.kind === 'throttled') rest(session, outcome, settings, nowMs);
  if (session.consecutiveRefusals >= MAX_CONSECUTIVE_REFUSALS) {
    session.earlyEnd ??= settleFailing(inARow(toFailure(outcome), session.consecutiveRefusals));
  }
  if (session.gate.breaker.timesOpened >= MAX_BREAKER_OPENINGS) {
    session.earlyEnd ??= settleFailing(toFailure(outcome));
  }
}

/** A redirect leads somewhere, but is nothing to read; a login page is a page, but not what was asked for. */
function isWorthReading({ kind, login }: Outcome): boolean {
  if (login !== undefined) return false;
  return WORTH_READING.has(kind);
}

const WORTH_READING: ReadonlySet<OutcomeKind> = new Set([
  ...(['page', 'image', 'image-refused', 'not-modified', 'unwanted-type'] as const),
]);

/** The server said something, whatever it was; an answer that broke off in the middle is none. */
function isAnswer({ kind }: Outcome): boolean {
  return failureClass(kind) !== 'connection' && kind !== 'private-address';
}

function noteError(session: DomainSession, outcome: Outcome, isTask: boolean): void {
  session.consecutiveErrors += 1;
  if (isTask) return;
  session.lastFailures.set(failureClass(outcome.kind), toFailure(outcome));
}

/**
 * Ten in a row, with no page in between, close the domain: it is behind a login. One that has given more than
 * ten pages must show as many walls: the wish lists of a shop alone are ten links in a row that lead to its login.
 */
function noteLoginWall(session: DomainSession, outcome: Outcome, isTask: boolean): void {
  if (!isTask) session.loginWallCount += 1;
  session.consecutiveLoginWalls += 1;
  session.lastLoginWall = describe(outcome);
  const count = session.consecutiveLoginWalls;
  if (count < Math.max(LEAST_LOGIN_WALLS, session.successCount)) return;
  session.earlyEnd ??= settleWalled(`${count} visits in a row ended at a login: ${describe(outcome)}`);
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

function toFailure(outcome: Outcome): Failure {
  const { kind, httpStatus, fetchFailure } = outcome;
  return { kind, httpStatus, fetchFailure, message: describe(outcome) };
}

function inARow(failure: Failure, count: number): Failure {
  return { ...failure, message: `${failure.message}, ${count} times in a row` };
}

function describe(outcome: Outcome): string {
  const { phrase } = CONSEQUENCES[outcome.kind];
  const status = outcome.httpStatus === undefined ? '' : ` (status ${outcome.httpStatus})`;
  return outcome.message ?? `${phrase}${status}`;
}
