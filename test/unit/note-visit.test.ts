import { describe, expect, it } from 'vitest';
import { noteVisit } from '../../src/engine/note-visit.ts';
import type { Outcome, OutcomeKind } from '../../src/engine/outcome.ts';
import { makeSession } from '../support/crawl-session.ts';

const settings = { maxHoldMs: 600_000 };
const outcome = (kind: OutcomeKind, holdMs?: number): Outcome => ({
  ...{ kind, httpStatus: kind === 'throttled' ? 429 : undefined, message: undefined, holdMs },
});

const asksForLogin: Outcome = { ...outcome('refused'), httpStatus: 401, login: 'status' };

describe('noteVisit', () => {
  it('counts errors in a row, and a success ends the row', () => {
    const session = makeSession();
    for (let n = 0; n < 3; n += 1) noteVisit(session, outcome('server-error'), settings, 0);
    expect(session).toMatchObject({
      consecutiveErrors: 3,
      successCount: 0,
    });
    expect(session.facts.lastFailures.get('server-error')).toMatchObject({ kind: 'server-error' });
    noteVisit(session, outcome('page'), settings, 0);
    expect(session).toMatchObject({ consecutiveErrors: 0, successCount: 1 });
  });

  it('a domain that asks for rest is held for as long as it says', () => {
    const session = makeSession();
    noteVisit(session, outcome('throttled', 30_000), settings, 1000);
    expect(session.gate.heldUntilMs()).toBe(31_000);
    expect(session.earlyEnd).toBeUndefined();
  });

  it('one that does not say is held longer each time, one that says zero for a moment', () => {
    const session = makeSession();
    noteVisit(session, outcome('throttled'), settings, 0);
    expect(session.gate.heldUntilMs()).toBe(10_000);
    noteVisit(session, outcome('throttled'), settings, 10_000);
    expect(session.gate.heldUntilMs()).toBe(30_000);
    noteVisit(session, outcome('throttled', 0), settings, 30_000);
    expect(session.gate.heldUntilMs()).toBe(31_000);
  });

  it('five asks for rest in a row, each after the rest before, block the domain', () => {
    const session = makeSession();
    for (let n = 0; n < 5; n += 1) {
      expect(session.earlyEnd).toBeUndefined();
      noteVisit(session, outcome('throttled', 1000), settings, n * 2000);
    }
    expect(session.earlyEnd).toMatchObject({ status: 'blocked', code: 'rate_limited' });
  });

  it('answers to requests that were already under way are part of the same ask', () => {
    const session = makeSession();
    for (let n = 0; n < 20; n += 1) noteVisit(session, outcome('throttled', 1000), settings, n);
    expect(session.earlyEnd).toBeUndefined();
  });

  it('a rest longer than we wait for ends the session and keeps the domain due', () => {
    const session = makeSession();
    noteVisit(session, outcome('throttled', 3_600_000), settings, 0);
    expect(session.earlyEnd).toMatchObject({ status: 'active', code: 'held', restMs: 3_600_000 });
  });

  it('ten refusals in a row block the domain, nine and a page do not', () => {
    const session = makeSession();
    for (let n = 0; n < 9; n += 1) noteVisit(session, outcome('refused'), settings, 0);
    noteVisit(session, outcome('page'), settings, 0);
    for (let n = 0; n < 9; n += 1) noteVisit(session, outcome('refused'), settings, 0);
    expect(session.earlyEnd).toBeUndefined();
    noteVisit(session, outcome('refused'), settings, 0);
    expect(session.earlyEnd).toMatchObject({ status: 'blocked', code: 'forbidden' });
  });

  it('ten refusals in a row block a domain that gave pages before', () => {
    const session = makeSession();
    for (let n = 0; n < 500; n += 1) noteVisit(session, outcome('page'), settings, 0);
    for (let n = 0; n < 10; n += 1)
      noteVisit(session, { ...outcome('refused'), httpStatus: 403 }, settings, 0);
    expect(session.earlyEnd).toMatchObject({
      ...{ status: 'blocked', code: 'forbidden', restMs: 14 * 86_400_000 },
      reason: 'access refused (status 403), 10 times in a row',
    });
  });

  it('ten times 401 in a row ask for a login', () => {
    const session = makeSession();
    for (let n = 0; n < 9; n += 1) noteVisit(session, asksForLogin, settings, 0);
    expect(session.earlyEnd).toBeUndefined();
    noteVisit(session, asksForLogin, settings, 0);
    expect(session.earlyEnd).toMatchObject({ ...{ status: 'blocked', code: 'login_required' } });
  });

  it.each([
    ['redirects to a login', { ...outcome('redirect'), login: 'redirect' }],
    ['login forms', { ...outcome('page'), login: 'form' }],
  ] as const)('ten %s in a row close the domain, nine and a page do not', (_name, wall) => {
    const session = makeSession();
    for (let n = 0; n < 9; n += 1) noteVisit(session, wall, settings, 0);
    noteVisit(session, outcome('page'), settings, 0);
    for (let n = 0; n < 9; n += 1) noteVisit(session, wall, settings, 0);
    expect(session.earlyEnd).toBeUndefined();
    expect(session.facts).toMatchObject({ successCount: 1, loginWallCount: 18 });
    noteVisit(session, wall, settings, 0);
    expect(session.earlyEnd).toMatchObject({ status: 'blocked', code: 'login_required' });
  });

  it('what is neither a page nor a login leaves the row of walls as it is', () => {
    const session = makeSession();
    for (let n = 0; n < 10; n += 1) {
      expect(session.earlyEnd).toBeUndefined();
      noteVisit(session, outcome('redirect'), settings, 0);
      noteVisit(session, outcome('gone'), settings, 0);
      noteVisit(session, { ...outcome('redirect'), login: 'redirect' }, settings, 0);
    }
    expect(session.earlyEnd).toMatchObject({ code: 'login_required' });
  });

  it('a shop with fifty pages must show fifty walls: wish lists alone are ten', () => {
    const session = makeSession({ successCount: 20 });
    for (let n = 0; n < 30; n += 1) noteVisit(session, outcome('page'), settings, 0);
    for (let n = 0; n < 49; n += 1) {
      noteVisit(session, { ...outcome('redirect'), login: 'redirect' }, settings, 0);
    }
    expect(session.earlyEnd).toBeUndefined();
    noteVisit(session, { ...outcome('redirect'), login: 'redirect' }, settings, 0);
    expect(session.earlyEnd).toMatchObject({ code: 'login_required' });
  });

  it('the form at /login is neither a wall nor a page', () => {
    const session = makeSession();
    for (let n = 0; n < 20; n += 1) noteVisit(session, { ...outcome('page'), login: 'at-home' }, settings, 0);
    expect(session.facts).toMatchObject({ successCount: 0, loginWallCount: 0, earlyEnd: undefined });
  });

  it('a redirect is an answer, but nothing to read', () => {
    const session = makeSession();
    noteVisit(session, outcome('redirect'), settings, 0);
    expect(session.facts).toMatchObject({ successCount: 0, answerCount: 1 });
    noteVisit(session, outcome('timeout'), settings, 0);
    expect(session.facts.answerCount).toBe(1);
  });

  it('a breaker that opens for the third time without closing ends the session', () => {
    const session = makeSession();
    let nowMs = 0;
    for (let n = 0; n < 5; n += 1) noteVisit(session, outcome('timeout'), settings, nowMs);
    for (let opening = 2; opening <= 3; opening += 1) {
      expect(session.earlyEnd).toBeUndefined();
      nowMs += 60_000;
      expect(session.gate.breaker.isProbing(nowMs)).toBe(true);
      noteVisit(session, outcome('timeout'), settings, nowMs);
    }
    expect(session.earlyEnd).toMatchObject({ status: 'unreachable' });
  });
});
