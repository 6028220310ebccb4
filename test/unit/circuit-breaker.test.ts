import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '../../src/engine/politeness/circuit-breaker.ts';

function failTimes(breaker: CircuitBreaker, times: number, atMs: number): void {
  for (let i = 0; i < times; i += 1) breaker.recordFailure(atMs);
}

describe('a domain’s circuit breaker', () => {
  it('stays closed at four failures and opens at the fifth in a row', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 4, 0);
    expect(breaker.state).toBe('closed');
    breaker.recordFailure(0);
    expect(breaker.state).toBe('open');
    expect(breaker.readyAtMs(10)).toBe(60_000);
  });

  it('forgets failures when a success comes between them', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 4, 0);
    breaker.recordSuccess();
    failTimes(breaker, 4, 0);
    expect(breaker.state).toBe('closed');
  });

  it('is half-open after a minute and closes after two successes', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 5, 0);
    expect(breaker.isProbing(59_999)).toBe(false);
    expect(breaker.isProbing(60_000)).toBe(true);
    breaker.recordSuccess();
    expect(breaker.state).toBe('half-open');
    breaker.recordSuccess();
    expect(breaker.state).toBe('closed');
    expect(breaker.timesOpened).toBe(0);
  });

  it('opens again at the first failure while half-open, and counts how often', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 5, 0);
    expect(breaker.isProbing(60_000)).toBe(true);
    breaker.recordFailure(60_500);
    expect(breaker.state).toBe('open');
    expect(breaker.readyAtMs(60_500)).toBe(120_500);
    expect(breaker.timesOpened).toBe(2);
  });

  it('does not start its minute anew for failures that arrive while it is open', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 5, 0);
    breaker.recordFailure(30_000);
    expect(breaker.readyAtMs(30_000)).toBe(60_000);
  });
});
