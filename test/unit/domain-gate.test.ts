import { describe, expect, it } from 'vitest';
import { DomainGate } from '../../src/engine/politeness/domain-gate.ts';

const timing = (sentAtMs: number, headersAtMs: number | undefined) => ({
  sentAtMs,
  headersAtMs,
  durationMs: 5,
});

describe('the gate in front of a domain', () => {
  it('opens the delay after the response headers came', () => {
    const gate = new DomainGate({ delayMs: 1000, maxConcurrent: 5 });
    const passage = gate.start();
    gate.finish(passage, timing(100, 120));
    expect(gate.readyAtMs(130)).toBe(1120);
  });

  it('counts from the sending, plus an allowance, when the server answers slowly', () => {
    const gate = new DomainGate({ delayMs: 1000, maxConcurrent: 5 });
    gate.finish(gate.start(), timing(100, 900));
    expect(gate.readyAtMs(901)).toBe(1150);
  });

  it('stays shut while it is unknown whether a request has reached the server', () => {
    const gate = new DomainGate({ delayMs: 1000, maxConcurrent: 5 });
    const passage = gate.start();
    expect(gate.readyAtMs(5000)).toBeUndefined();
    gate.anchor(passage, timing(100, undefined));
    expect(gate.readyAtMs(200)).toBe(1150);
  });

  it('anchors a request once, however often it is told', () => {
    const gate = new DomainGate({ delayMs: 1000, maxConcurrent: 5 });
    const first = gate.start();
    gate.anchor(first, timing(100, 110));
    const second = gate.start();
    gate.finish(first, timing(100, 110));
    expect(gate.readyAtMs(5000)).toBeUndefined();
    gate.finish(second, timing(2000, 2010));
    expect(gate.readyAtMs(2011)).toBe(3010);
  });

  it('without a delay lets through as many as may be open at once', () => {
    const gate = new DomainGate({ delayMs: 0, maxConcurrent: 2 });
    const first = gate.start();
    expect(gate.readyAtMs(10)).toBe(10);
    gate.start();
    expect(gate.readyAtMs(10)).toBeUndefined();
    gate.finish(first, timing(10, 12));
    expect(gate.readyAtMs(13)).toBe(13);
  });

  it('takes a longer delay from robots.txt and never a shorter one', () => {
    const gate = new DomainGate({ delayMs: 1000, maxConcurrent: 1 });
    gate.raiseDelay(500);
    expect(gate.delayMs).toBe(1000);
    gate.raiseDelay(3000);
    expect(gate.delayMs).toBe(3000);
  });

  it('keeps the longer delay also from the request that brought it', () => {
    const gate = new DomainGate({ delayMs: 1000, maxConcurrent: 1 });
    gate.finish(gate.start(), timing(100, 120));
    gate.raiseDelay(3000);
    expect(gate.readyAtMs(130)).toBe(3120);
  });

  it('is open at once for a domain nobody has spoken to', () => {
    const gate = new DomainGate({ delayMs: 1000, maxConcurrent: 1 });
    gate.continueAfter(Number.POSITIVE_INFINITY, 50);
    expect(gate.readyAtMs(60)).toBe(60);
  });

  it('holds the whole domain until the longest rest asked for is over', () => {
    const gate = new DomainGate({ delayMs: 0, maxConcurrent: 5 });
    gate.hold(9000);
    gate.hold(4000);
    expect(gate.readyAtMs(100)).toBe(9000);
    expect(gate.readyAtMs(9500)).toBe(9500);
  });

  it('lets one request at a time through a half-open breaker', () => {
    const gate = new DomainGate({ delayMs: 0, maxConcurrent: 5 });
    for (let i = 0; i < 5; i += 1) gate.breaker.recordFailure(1000);
    expect(gate.readyAtMs(1001)).toBe(61_000);
    expect(gate.readyAtMs(61_000)).toBe(61_000);
    gate.start();
    expect(gate.readyAtMs(61_001)).toBeUndefined();
  });
});
