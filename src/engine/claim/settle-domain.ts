/**
 * What a domain is called when its session ends (docs/states.md has the table): the state it goes to, why,
 * and how long it is left alone. Every code is one of `domain_status_moves`; the database refuses others.
 */
import type { FetchFailureReason } from '../fetch/fetch-result.ts';

const DAY_MS = 86_400_000;

export interface Settlement {
  readonly status: 'active' | 'exhausted' | 'blocked' | 'unreachable';
  readonly code: string | undefined;
  readonly reason: string | undefined;
  readonly restMs: number | undefined;
}

/** A visit that brought nothing, as far as its domain is concerned. */
export interface Failure {
  /** Of outcome.ts. */
  readonly kind: string;
  readonly message: string;
  readonly httpStatus?: number | undefined;
  /** Why there was no answer, when there was none. */
  readonly fetchFailure?: FetchFailureReason | undefined;
}

export type FailureClass = 'connection' | 'refusal' | 'server-error' | 'other';

export function failureClass(kind: string): FailureClass {
  if (CONNECTION_KINDS.has(kind)) return 'connection';
  if (kind === 'refused') return 'refusal';
  return kind === 'server-error' ? 'server-error' : 'other';
}

const CONNECTION_KINDS: ReadonlySet<string> = new Set([
  'unreachable',
  'tls-failed',
  'timeout',
  'connection-lost',
]);

export interface SessionFacts {
  /** Nothing was left to do; false when it was cut short by a budget or a stop. */
  readonly isDry: boolean;
  readonly earlyEnd: Settlement | undefined;
  /** What was worth reading (pages, other types of file), this run's earlier sessions included. */
  readonly successCount: number;
  /** Of those, the ones before this session. */
  readonly pagesBefore: number;
  readonly loginWallCount: number;
  /** Visits to which the server said anything at all. */
  readonly answerCount: number;
  readonly robotsDeniedCount: number;
  /** The last of each class: in which order they came makes no difference. */
  readonly lastFailures: ReadonlyMap<FailureClass, Failure>;
  readonly lastLoginWall: string | undefined;
}

export const COOLDOWN_MS = {
  login_required: 30 * DAY_MS,
  rate_limited: 7 * DAY_MS,
  forbidden: 14 * DAY_MS,
  robots_denied: 90 * DAY_MS,
  unreachable: 7 * DAY_MS,
  server_errors: DAY_MS,
  refresh: 14 * DAY_MS,
} as const;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * A domain that is there for its tasks only is not closed for days: its tasks have retries of their own, and whoever
 * ordered them wants to be told. It rests no longer than they do between two attempts, an hour where it has refused us.
 */
export function restForTasks(settlement: Settlement): Settlement {
  const { status, code } = settlement;
  if (status !== 'blocked' && status !== 'unreachable') return settlement;
  const restMs = status === 'unreachable' ? MINUTE_MS / 2 : code === 'server_errors' ? MINUTE_MS : HOUR_MS;
  return { ...settlement, status: 'active', restMs };
}

export function settleDomain(facts: SessionFacts): Settlement {
  if (facts.earlyEnd !== undefined) return facts.earlyEnd;
  if (!facts.isDry) return { status: 'active', code: undefined, reason: undefined, restMs: undefined };
  if (isWalledOff(facts)) return settleWalled(`every page asks for a login: ${facts.lastLoginWall}`);
  if (facts.successCount > 0) return exhausted();
  return settleBarren(facts) ?? exhausted();
}

/**
 * Walls came, and no page. Login pages are stored as pages too, so those of an earlier session prove little when
 * there were no more of them than walls now; a thousand pages and one wall are a healthy site.
 */
function isWalledOff(facts: SessionFacts): boolean {
  const isBarren = facts.successCount === facts.pagesBefore;
  return isBarren && facts.loginWallCount > 0 && facts.loginWallCount >= facts.pagesBefore;
}

/** For a domain from which nothing has come that was worth reading. */
function settleBarren(facts: SessionFacts): Settlement | undefined {
  const { lastFailures, answerCount, robotsDeniedCount } = facts;
  const failure =
    // Whoever says "not found" is there, however many of its answers are lost.
    (answerCount === 0 ? lastFailures.get('connection') : undefined) ??
    lastFailures.get('refusal') ??
    lastFailures.get('server-error');
  if (failure !== undefined) return settleFailing(failure);
  if (lastFailures.size > 0 || robotsDeniedCount === 0) return undefined;
  return {
    status: 'blocked',
    code: 'robots_denied',
    reason: 'robots.txt disallows every URL we know here',
    restMs: COOLDOWN_MS.robots_denied,
  };
}

/** For a domain that fails in this one way. */
export function settleFailing(failure: Failure): Settlement | undefined {
  switch (failureClass(failure.kind)) {
    case 'connection':
      return settleUnreachable(failure.fetchFailure, failure.message);
    case 'refusal':
      if (failure.httpStatus === 401) return settleWalled(failure.message);
      return {
        status: 'blocked',
        code: 'forbidden',
        reason: failure.message,
        restMs: COOLDOWN_MS.forbidden,
      };
    case 'server-error':
      return {
        status: 'blocked',
        code: 'server_errors',
        reason: failure.message,
        restMs: COOLDOWN_MS.server_errors,
      };
    case 'other':
      return undefined;
  }
}

export function settleWalled(reason: string): Settlement {
  return { status: 'blocked', code: 'login_required', reason, restMs: COOLDOWN_MS.login_required };
}

/** The same codes whether robots.txt or a page found out. */
export function settleUnreachable(failure: FetchFailureReason | undefined, reason: string): Settlement {
  return {
    status: 'unreachable',
    code: unreachableCode(failure),
    reason,
    restMs: COOLDOWN_MS.unreachable,
  };
}

function unreachableCode(failure: FetchFailureReason | undefined): string {
  switch (failure) {
    case 'dns-not-found':
    case 'dns-failed':
      return 'dns_failure';
    case 'connect-refused':
      return 'connect_refused';
    case 'connect-timeout':
      return 'connect_timeout';
    case 'tls-failed':
      return 'tls_failure';
    default:
      return 'connection_failure';
  }
}

function exhausted(): Settlement {
  return { status: 'exhausted', code: undefined, reason: undefined, restMs: COOLDOWN_MS.refresh };
}
