import { describe, expect, it } from 'vitest';
import { COOLDOWN_MS, type SessionFacts, settleDomain } from '../../src/engine/claim/settle-domain.ts';

const facts: SessionFacts = {
  isDry: true,
  earlyEnd: undefined,
  successCount: 0,
  robotsDeniedCount: 0,
  consecutiveErrors: 0,
  lastFailure: undefined,
};
const failing = (kind: string): SessionFacts => ({
  ...facts,
  consecutiveErrors: 4,
  lastFailure: { kind, message: 'why' },
});

describe('settleDomain', () => {
  it('leaves a domain active, due at once, when the session was cut short', () => {
    expect(settleDomain({ ...facts, isDry: false, successCount: 3 })).toEqual({
      ...{ status: 'active', code: undefined, reason: undefined, restMs: undefined },
    });
  });

  it('calls a domain that gave something exhausted until its refresh, whatever failed last', () => {
    const settlement = settleDomain({ ...failing('timeout'), successCount: 1 });
    expect(settlement).toMatchObject({ status: 'exhausted', code: undefined, restMs: COOLDOWN_MS.refresh });
  });

  it.each([
    ['unreachable', 'unreachable', 'connection_failure', COOLDOWN_MS.unreachable],
    ['timeout', 'unreachable', 'connection_failure', COOLDOWN_MS.unreachable],
    ['tls-failed', 'unreachable', 'tls_failure', COOLDOWN_MS.unreachable],
    ['refused', 'blocked', 'forbidden', COOLDOWN_MS.forbidden],
    ['server-error', 'blocked', 'server_errors', COOLDOWN_MS.server_errors],
  ])('a domain that gave nothing but "%s" is %s by %s', (kind, status, code, restMs) => {
    expect(settleDomain(failing(kind))).toEqual({ status, code, reason: 'why', restMs });
  });

  it('a domain that gave nothing but pages that are gone is simply exhausted', () => {
    expect(settleDomain(failing('gone'))).toMatchObject({ status: 'exhausted', code: undefined });
  });

  it('a domain whose robots.txt denied all there was is blocked for it', () => {
    expect(settleDomain({ ...facts, robotsDeniedCount: 2 })).toMatchObject({
      ...{ status: 'blocked', code: 'robots_denied', restMs: COOLDOWN_MS.robots_denied },
    });
    expect(settleDomain({ ...facts, robotsDeniedCount: 2, successCount: 1 }).status).toBe('exhausted');
  });

  it('what ended a session early has the last word', () => {
    const earlyEnd = { status: 'blocked', code: 'rate_limited', reason: 'x', restMs: 5 } as const;
    expect(settleDomain({ ...facts, earlyEnd, successCount: 9 })).toBe(earlyEnd);
  });
});
