import { describe, expect, it } from 'vitest';
import {
  COOLDOWN_MS,
  type Failure,
  failureClass,
  type SessionFacts,
  settleDomain,
} from '../../src/engine/claim/settle-domain.ts';
import type { FetchFailureReason } from '../../src/engine/fetch/fetch-result.ts';

const DAY_MS = 86_400_000;
const facts: SessionFacts = {
  isDry: true,
  earlyEnd: undefined,
  successCount: 0,
  pagesBefore: 0,
  loginWallCount: 0,
  lastLoginWall: undefined,
  answerCount: 0,
  robotsDeniedCount: 0,
  lastFailures: new Map(),
};
const failure = (kind: string, more: Partial<Failure> = {}): Failure => ({ kind, message: 'why', ...more });
const failing = (...failures: readonly Failure[]): SessionFacts => ({
  ...facts,
  answerCount: failures.filter(({ kind }) => failureClass(kind) !== 'connection').length,
  lastFailures: new Map(failures.map((one) => [failureClass(one.kind), one])),
});

describe('settleDomain', () => {
  it('leaves a domain active, due at once, when the session was cut short', () => {
    expect(settleDomain({ ...facts, isDry: false, successCount: 3, loginWallCount: 4 })).toEqual({
      ...{ status: 'active', code: undefined, reason: undefined, restMs: undefined },
    });
  });

  it('calls a domain that gave something exhausted until its refresh, whatever failed last', () => {
    const settlement = settleDomain({ ...failing(failure('timeout')), successCount: 1 });
    expect(settlement).toMatchObject({ status: 'exhausted', code: undefined, restMs: COOLDOWN_MS.refresh });
  });

  it.each([
    ['connection-lost', 'unreachable', 'connection_failure', 7],
    ['timeout', 'unreachable', 'connection_failure', 7],
    ['refused', 'blocked', 'forbidden', 14],
    ['server-error', 'blocked', 'server_errors', 1],
  ])('a domain that gave nothing but "%s" is %s by %s for %i days', (kind, status, code, days) => {
    expect(settleDomain(failing(failure(kind)))).toEqual({
      status,
      code,
      reason: 'why',
      restMs: days * DAY_MS,
    });
  });

  it.each<[FetchFailureReason, string, string]>([
    ['dns-not-found', 'unreachable', 'dns_failure'],
    ['dns-failed', 'unreachable', 'dns_failure'],
    ['connect-refused', 'unreachable', 'connect_refused'],
    ['connect-timeout', 'unreachable', 'connect_timeout'],
    ['connect-failed', 'unreachable', 'connection_failure'],
    ['tls-failed', 'tls-failed', 'tls_failure'],
    ['headers-timeout', 'timeout', 'connection_failure'],
    ['dropped', 'connection-lost', 'connection_failure'],
  ])(
    'a domain from which nothing came but %s is unreachable, with that as its code',
    (reason, kind, code) => {
      expect(settleDomain(failing(failure(kind, { fetchFailure: reason })))).toMatchObject({
        ...{ status: 'unreachable', code, restMs: 7 * DAY_MS },
      });
    },
  );

  it('a domain that says 401 to everything wants a login, one that says 403 refuses', () => {
    expect(settleDomain(failing(failure('refused', { httpStatus: 401 })))).toMatchObject({
      ...{ status: 'blocked', code: 'login_required', restMs: 30 * DAY_MS },
    });
    expect(settleDomain(failing(failure('refused', { httpStatus: 451 })))).toMatchObject({
      code: 'forbidden',
    });
  });

  it('a server that answers is not unreachable, however many answers are lost, in whichever order', () => {
    const [gone, timeout] = [failure('gone'), failure('timeout')];
    for (const order of [
      [gone, timeout],
      [timeout, gone],
    ]) {
      expect(settleDomain(failing(...order))).toMatchObject({ status: 'exhausted' });
    }
  });

  it('a refusal counts beside what is gone, in whichever order they came', () => {
    const [gone, refused] = [failure('gone'), failure('refused', { httpStatus: 403 })];
    for (const order of [
      [gone, refused],
      [refused, gone],
    ]) {
      expect(settleDomain(failing(...order))).toMatchObject({ status: 'blocked', code: 'forbidden' });
    }
  });

  it('a domain that gave nothing but pages that are gone is simply exhausted', () => {
    expect(settleDomain(failing(failure('gone')))).toMatchObject({ status: 'exhausted', code: undefined });
  });

  it('a domain whose robots.txt denied all there was is blocked for it', () => {
    expect(settleDomain({ ...facts, robotsDeniedCount: 2 })).toMatchObject({
      ...{ status: 'blocked', code: 'robots_denied', restMs: 90 * DAY_MS },
    });
    expect(settleDomain({ ...facts, robotsDeniedCount: 2, successCount: 1 }).status).toBe('exhausted');
    expect(settleDomain({ ...failing(failure('gone')), robotsDeniedCount: 2 }).status).toBe('exhausted');
  });

  describe('of a domain with login walls', () => {
    const walled = { ...facts, loginWallCount: 1, lastLoginWall: 'leads to a login' };

    it('walls and no page close it for a month', () => {
      expect(settleDomain(walled)).toMatchObject({
        ...{ status: 'blocked', code: 'login_required', restMs: 30 * DAY_MS },
        reason: 'every page asks for a login: leads to a login',
      });
    });

    it('a page beside them keeps it open', () => {
      expect(settleDomain({ ...walled, loginWallCount: 8, successCount: 1 }).status).toBe('exhausted');
    });

    it('the login page that an earlier session stored does not, a site that gave more does', () => {
      expect(settleDomain({ ...walled, successCount: 1, pagesBefore: 1 }).code).toBe('login_required');
      expect(settleDomain({ ...walled, successCount: 90, pagesBefore: 90 }).status).toBe('exhausted');
    });

    it('a login that robots.txt disallows is still a login', () => {
      expect(settleDomain({ ...walled, robotsDeniedCount: 1 }).code).toBe('login_required');
    });
  });

  it('what ended a session early has the last word', () => {
    const earlyEnd = { status: 'blocked', code: 'rate_limited', reason: 'x', restMs: 5 } as const;
    expect(settleDomain({ ...facts, earlyEnd, successCount: 9 })).toBe(earlyEnd);
  });
});
