/** Which steps a time is shown in, and what can be shown. */
import { describe, expect, test } from 'vitest';
import { isMetric, OUTCOMES, type Step } from '../../src/contract/series.ts';
import { chooseRange } from '../../src/control/stats/series.ts';
import { CONSEQUENCES } from '../../src/engine/outcome.ts';

const AT = new Date('2026-05-10T12:34:56Z');
const range = (from: string | undefined, to: string | undefined, step: Step = 'auto') => {
  const chosen = chooseRange(
    {
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
      step,
    },
    AT,
  );
  return [chosen.from.toISOString(), chosen.to.toISOString(), chosen.stepSeconds];
};

describe('the steps of a time', () => {
  test('are whole ones that contain all of it', () => {
    expect(range(undefined, undefined)).toEqual(['2026-05-10T11:34:00.000Z', '2026-05-10T12:35:00.000Z', 60]);
    expect(range('2026-05-10T10:01:00Z', '2026-05-10T11:59:00Z', '1h')).toEqual([
      ...['2026-05-10T10:00:00.000Z', '2026-05-10T12:00:00.000Z', 3600],
    ]);
    expect(range('2026-05-10T10:00:00Z', '2026-05-10T11:00:00Z', '5m')).toEqual([
      ...['2026-05-10T10:00:00.000Z', '2026-05-10T11:00:00.000Z', 300],
    ]);
  });

  test('are no finer than what is kept from then', () => {
    expect(range('2026-05-08T12:34:56Z', '2026-05-08T13:00:00Z')[2]).toBe(60);
    expect(range('2026-05-08T12:34:55Z', '2026-05-08T13:00:00Z')[2]).toBe(3600);
    expect(() => range('2026-05-08T12:34:55Z', '2026-05-08T13:00:00Z', '5m')).toThrow('two days');
  });

  test('are no more than are allowed', () => {
    expect(range('2026-05-09T12:00:00Z', '2026-05-10T12:00:00Z', '1m')[2]).toBe(60);
    expect(() => range('2026-05-09T09:00:00Z', '2026-05-10T12:00:00Z', '1m')).toThrow('1500 points');
    expect(() => range('0001-01-01T00:00:00Z', undefined)).toThrow('1500 points');
  });
});

describe('metrics', () => {
  test('there is one for every way a fetch can end', () => {
    // What robots.txt disallows is not fetched.
    const kinds = Object.keys(CONSEQUENCES).filter((kind) => kind !== 'robots-denied');
    expect([...OUTCOMES].sort()).toEqual(kinds.sort());
  });

  test.each(['status:200', 'status:5xx', 'outcome:timeout', 'domains:blocked', 'robots_denials'])(
    '%s is one',
    (name) => {
      expect(isMetric(name)).toBe(true);
    },
  );

  test.each(['status:600', 'status:2x', 'status:20', 'outcome:odd', 'constructor', '', 'pages '])(
    '"%s" is none',
    (name) => {
      expect(isMetric(name)).toBe(false);
    },
  );
});
