import { expect, test } from 'vitest';
import { CompressionGovernor, readCpuTimes } from '../../src/engine/store/compression-governor.ts';

function makeGovernor() {
  const machine = { idle: 0, total: 0, ms: 0 };
  const governor = new CompressionGovernor(
    () => ({ idle: machine.idle, total: machine.total }),
    () => machine.ms,
  );
  /** A second passes in which the machine idles for this share of the time. */
  const pass = (idleShare: number) => {
    machine.ms += 1000;
    machine.total += 200;
    machine.idle += 200 * idleShare;
  };
  return { governor, pass };
}

test('pages are compressed while the machine has idle time, and again when it has some again', () => {
  const { governor, pass } = makeGovernor();
  const verdicts = [governor.mayCompress(0)];
  for (const idleShare of [0.5, 0.02, 0.05, 0.3]) {
    pass(idleShare);
    verdicts.push(governor.mayCompress(0));
  }
  expect(verdicts).toEqual([true, true, false, false, true]);
});

test('a writer that has fallen behind does not compress', () => {
  const { governor, pass } = makeGovernor();
  pass(0.9);
  expect(governor.mayCompress(20_000_000)).toBe(false);
  expect(governor.mayCompress(0)).toBe(true);
});

test("the machine's processor times are read, and idle time is part of the total", () => {
  const { idle, total } = readCpuTimes();
  expect(total).toBeGreaterThan(0);
  expect(idle).toBeGreaterThanOrEqual(0);
  expect(idle).toBeLessThanOrEqual(total);
});
