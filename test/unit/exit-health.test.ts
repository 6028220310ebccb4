import { expect, it } from 'vitest';
import {
  coolingMs,
  ExitHealth,
  type KnownHealth,
  PAIR_RULES,
  PROXY_RULES,
} from '../../src/engine/proxies/exit-health.ts';

const MINUTE = 60_000;
const WORKED: KnownHealth = {
  ...{ isActive: true, isOutForFailures: false, retryInMs: null },
  ...{ failureCount: 0, outagesCount: 0, hasWorked: true },
};

it.each([
  ['a pair', PAIR_RULES, 5, [10, 20, 40, 80, 160, 320, 360, 360]],
  ['a proxy', PROXY_RULES, 10, [5, 10, 20, 40, 80, 120, 120]],
])(
  '%s is out after its failures in a row, longer each time up to a limit',
  (_what, rules, limit, minutes) => {
    const health = new ExitHealth(rules, WORKED, 0);
    for (let n = 1; n < limit; n += 1) health.fail(0);
    expect(health.state).toBe('in');
    health.succeed();
    for (let n = 1; n < limit; n += 1) health.fail(0);
    expect(health.state).toBe('in');
    health.fail(0);
    expect(health.state).toBe('out');
    expect(minutes.map((_, outages) => coolingMs(rules, outages) / MINUTE)).toEqual(minutes);
    let atMs = 0;
    for (const minute of minutes.slice(1)) {
      expect(health.admits((health.retryAtMs ?? 0) - 1)).toBe(false);
      atMs = health.retryAtMs ?? 0;
      expect(health.admits(atMs)).toBe(true);
      health.fail(atMs);
      expect(health.retryAtMs).toBe(atMs + minute * MINUTE);
    }
  },
);

it('one request at a time tries it again, and its success brings it back', () => {
  const health = new ExitHealth(
    PAIR_RULES,
    { ...WORKED, isActive: false, isOutForFailures: true, retryInMs: 100 },
    0,
  );
  expect([health.admits(99), health.admits(100)]).toEqual([false, true]);
  health.start();
  expect(health.admits(100)).toBe(false);
  health.end();
  health.succeed();
  expect([health.state, health.admits(100), health.failureCount]).toEqual(['in', true, 0]);
});

it('what was under way when it went out does not make it cool longer', () => {
  const health = new ExitHealth(PAIR_RULES, WORKED, 0);
  for (let n = 0; n < 9; n += 1) health.fail(0);
  expect(health.retryAtMs).toBe(10 * MINUTE);
});

it('one that never worked, or has just failed, is not asked more often at once than it may still fail', () => {
  for (const failureCount of [0, 3]) {
    const health = new ExitHealth(PAIR_RULES, { ...WORKED, failureCount, hasWorked: failureCount > 0 }, 0);
    let asked = 0;
    while (health.admits(0) && asked < 100) {
      health.start();
      asked += 1;
    }
    expect(asked).toBe(5 - failureCount);
  }
});

it('one that works is asked as often as anybody likes', () => {
  const health = new ExitHealth(PAIR_RULES, WORKED, 0);
  for (let n = 0; n < 100; n += 1) health.start();
  expect(health.admits(0)).toBe(true);
});

it('what a person switches off stays off, whatever came through it meanwhile', () => {
  const health = new ExitHealth(PAIR_RULES, WORKED, 0);
  health.fail(0);
  health.refresh({ ...WORKED, isActive: false }, 0);
  health.succeed();
  expect([health.state, health.admits(10 ** 9)]).toEqual(['off', false]);
  health.settle();
  health.refresh(WORKED, 0);
  expect(health.state).toBe('in');
});

it('while more is known here than is written down, what was written before does not count', () => {
  const health = new ExitHealth(PAIR_RULES, WORKED, 0);
  for (let n = 0; n < 5; n += 1) health.fail(0);
  health.refresh(WORKED, 0);
  expect(health.state).toBe('out');
  health.settle();
  // Somebody has enabled it since.
  health.refresh(WORKED, 0);
  expect(health.state).toBe('in');
});
