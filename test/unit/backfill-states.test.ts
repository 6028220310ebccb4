/** The state of a domain made of several, and of one of which only rows are left. */
import { describe, expect, test } from 'vitest';
import { mergeStates, type StateRow } from '../../src/control/backfill/merged-state.ts';
import { rebuildState } from '../../src/control/backfill/rebuilt-state.ts';
import { type StatusMove, shortestPath } from '../../src/control/backfill/status-moves.ts';
import type { DomainStatus } from '../../src/control/domains/list-domains.ts';
import { COOLDOWN_MS } from '../../src/engine/claim/settle-domain.ts';

function row(status: DomainStatus, rest: string | null = null, id = 1): StateRow {
  const isRefused = status === 'blocked' || status === 'unreachable';
  return {
    id,
    status,
    statusCode:
      { blocked: 'forbidden', unreachable: 'tls_failure', exhausted: 'all_done' }[status as string] ??
      'seeded',
    blockReason: isRefused ? `${status} reason` : null,
    blockReasonCode: isRefused ? 'code' : null,
    nextCrawlAfter: rest,
  };
}

describe('the state of merged domains', () => {
  const statuses: DomainStatus[] = ['blocked', 'unreachable', 'active', 'pending', 'exhausted'];
  test.each(statuses)('of two that are %s is the same', (status) => {
    expect(mergeStates(row(status), [row(status, null, 2)])).toMatchObject({ id: 1, status });
  });

  test.each([
    ['exhausted', 'blocked', 'blocked'],
    ['blocked', 'pending', 'blocked'],
    ['unreachable', 'blocked', 'blocked'],
    ['pending', 'unreachable', 'unreachable'],
    ['exhausted', 'unreachable', 'unreachable'],
    ['exhausted', 'pending', 'pending'],
    ['exhausted', 'active', 'pending'],
    ['active', 'exhausted', 'active'],
    ['active', 'pending', 'active'],
    ['pending', 'active', 'pending'],
  ] as const)('kept %s, other %s: %s', (kept, other, merged) => {
    expect(mergeStates(row(kept), [row(other, null, 2)])).toMatchObject({ id: 1, status: merged });
  });

  test('brings the reason along', () => {
    const merged = mergeStates(row('exhausted', '2026-09-01 00:00:00+00'), [
      row('blocked', '2026-03-01 00:00:00+00', 2),
    ]);
    expect(merged).toEqual({ ...row('blocked', '2026-03-01 00:00:00+00'), id: 1 });
  });

  test('rests as long as the longest of those that are in it, and not as long as others', () => {
    const late = '2026-03-01 00:00:00.5+00';
    expect(
      mergeStates(row('blocked', '2026-03-01 00:00:00+00'), [row('blocked', late, 2)]).nextCrawlAfter,
    ).toBe(late);
    expect(
      mergeStates(row('pending'), [row('exhausted', '2026-09-01 00:00:00+00', 2)]).nextCrawlAfter,
    ).toBeNull();
    expect(mergeStates(row('pending'), [row('active', late, 2)]).nextCrawlAfter).toBe(late);
  });

  test('a refusal that waits for a person goes on waiting', () => {
    expect(
      mergeStates(row('blocked', '2026-03-01 00:00:00+00'), [row('blocked', null, 2)]).nextCrawlAfter,
    ).toBeNull();
  });
});

describe('the way by legal moves', () => {
  const moves: StatusMove[] = [
    { from: 'pending', to: 'active', code: 'claimed' },
    { from: 'pending', to: 'unreachable', code: 'dns_failure' },
    { from: 'active', to: 'unreachable', code: 'tls_failure' },
    { from: 'active', to: 'blocked', code: 'forbidden' },
    { from: 'exhausted', to: 'pending', code: 'new_urls' },
    { from: 'exhausted', to: 'active', code: 'claimed' },
  ];
  const codes = (from: DomainStatus, to: DomainStatus, code: string) =>
    shortestPath(moves, from, to, code).map((move) => `${move.to}:${move.code}`);

  test('is empty where nothing changes', () => expect(codes('active', 'active', 'x')).toEqual([]));
  test('is the shortest', () =>
    expect(codes('exhausted', 'blocked', 'forbidden')).toEqual(['active:claimed', 'blocked:forbidden']));
  test('goes round for the right reason', () =>
    expect(codes('pending', 'unreachable', 'tls_failure')).toEqual([
      'active:claimed',
      'unreachable:tls_failure',
    ]));
  test('takes another reason where no way has the right one', () =>
    expect(codes('pending', 'unreachable', 'unheard_of')).toEqual(['unreachable:dns_failure']));
  test('that does not exist is an error', () =>
    expect(() => codes('blocked', 'pending', 'reset')).toThrow(
      'no legal moves lead from blocked to pending',
    ));
});

describe('the state of a domain rebuilt from the log', () => {
  const figures = {
    fetches: 10,
    failures: 0,
    refusals: 0,
    throttles: 0,
    serverErrors: 0,
    lastAt: '2026-01-01',
  };
  test('half of the fetches failing is not more than half', () => {
    expect(rebuildState({ ...figures, failures: 5, refusals: 5 })).toEqual({
      status: 'exhausted',
      code: 'all_done',
      reason: undefined,
      restMs: COOLDOWN_MS.refresh,
    });
  });
  test.each([
    [{ failures: 6, refusals: 3, serverErrors: 2 }, 'forbidden'],
    [{ failures: 6, throttles: 4, serverErrors: 2 }, 'rate_limited'],
    [{ failures: 6, serverErrors: 6 }, 'server_errors'],
    [{ failures: 6, refusals: 1 }, 'forbidden'],
  ] as const)('%o: blocked as %s', (some, code) => {
    expect(rebuildState({ ...figures, ...some })).toMatchObject({
      status: 'blocked',
      code,
      restMs: COOLDOWN_MS[code],
      reason: '6 of 10 fetches in the log were answered with status 400 or above',
    });
  });
  test('pages whose fetches were dropped from the log were fetched all the same', () => {
    expect(rebuildState({ ...figures, fetches: 0 }).status).toBe('exhausted');
  });
  test('what was never fetched is pending', () => {
    expect(rebuildState({ ...figures, fetches: 0, lastAt: null })).toMatchObject({
      status: 'pending',
      code: 'seeded',
    });
  });
});
