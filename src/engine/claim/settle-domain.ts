/**
 * What a domain is called when its session ends (docs/states.md has the table): the state it goes to, why,
 * and how long it is left alone.
 */
const DAY_MS = 86_400_000;

export interface Settlement {
  readonly status: 'active' | 'exhausted' | 'blocked' | 'unreachable';
  readonly code: string | undefined;
  readonly reason: string | undefined;
  readonly restMs: number | undefined;
}

export interface SessionFacts {
  /** Nothing was left to do; false when it was cut short by a budget or a stop. */
  readonly isDry: boolean;
  readonly earlyEnd: Settlement | undefined;
  readonly successCount: number;
  readonly robotsDeniedCount: number;
  readonly consecutiveErrors: number;
  readonly lastFailure: { readonly kind: string; readonly message: string } | undefined;
}

export const COOLDOWN_MS = {
  rate_limited: 7 * DAY_MS,
  forbidden: 14 * DAY_MS,
  robots_denied: 90 * DAY_MS,
  unreachable: 7 * DAY_MS,
  server_errors: DAY_MS,
  refresh: 14 * DAY_MS,
} as const;

const CONNECTION_KINDS = new Set(['unreachable', 'tls-failed', 'timeout', 'connection-lost']);

export function settleDomain(facts: SessionFacts): Settlement {
  if (facts.earlyEnd !== undefined) return facts.earlyEnd;
  if (!facts.isDry) return { status: 'active', code: undefined, reason: undefined, restMs: undefined };
  if (facts.successCount > 0) return exhausted();
  if (facts.lastFailure !== undefined && facts.consecutiveErrors > 0) {
    return settleFailing(facts.lastFailure) ?? exhausted();
  }
  if (facts.robotsDeniedCount > 0) {
    return {
      status: 'blocked',
      code: 'robots_denied',
      reason: 'robots.txt disallows every URL we know here',
      restMs: COOLDOWN_MS.robots_denied,
    };
  }
  return exhausted();
}

/** For a domain from which nothing but failures of one kind has come. */
export function settleFailing(failure: { kind: string; message: string }): Settlement | undefined {
  if (CONNECTION_KINDS.has(failure.kind)) {
    return {
      status: 'unreachable',
      code: failure.kind === 'tls-failed' ? 'tls_failure' : 'connection_failure',
      reason: failure.message,
      restMs: COOLDOWN_MS.unreachable,
    };
  }
  if (failure.kind === 'refused') {
    return {
      status: 'blocked',
      code: 'forbidden',
      reason: failure.message,
      restMs: COOLDOWN_MS.forbidden,
    };
  }
  if (failure.kind === 'server-error') {
    return {
      status: 'blocked',
      code: 'server_errors',
      reason: failure.message,
      restMs: COOLDOWN_MS.server_errors,
    };
  }
  return undefined;
}

function exhausted(): Settlement {
  return { status: 'exhausted', code: undefined, reason: undefined, restMs: COOLDOWN_MS.refresh };
}
