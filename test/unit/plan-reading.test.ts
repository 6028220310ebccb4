import { describe, expect, it } from 'vitest';
import { planReading } from '../../src/engine/ingest/plan-reading.ts';
import { CONSEQUENCES, type OutcomeKind } from '../../src/engine/outcome.ts';
import type { KnownReading, PageRecord, Visit } from '../../src/engine/visit.ts';
import { visitOf } from '../support/crawl-claims.ts';
import { testSettings } from '../support/crawl-support.ts';

const DAY = 86_400;
const { refresh } = testSettings;
const lease = { domainId: 1, domain: 'a.example', parentDomain: 'a.example', version: 1 };
const textOf = (fill: number): Buffer => Buffer.alloc(32, fill);
const KNOWN: KnownReading = { contentHash: textOf(1), refreshSeconds: 14 * DAY, missCount: 0 };
const KINDS = Object.keys(CONSEQUENCES) as OutcomeKind[];

interface Meeting {
  readonly kind: OutcomeKind;
  readonly known?: KnownReading | undefined;
  /** What the text of the page is by now. */
  readonly text?: number;
  readonly isDomainHealthy?: boolean;
}

function visited({ kind, known, text, isDomainHealthy = true }: Meeting): Visit {
  const visit = visitOf(lease, textOf(9));
  const page: PageRecord | undefined =
    text === undefined || visit.page === undefined ? undefined : { ...visit.page, contentHash: textOf(text) };
  const outcome = { kind, httpStatus: undefined, message: undefined, holdMs: undefined };
  return { ...visit, outcome, page, isDomainHealthy, due: { ...visit.due, known } };
}

const plan = (meeting: Meeting) => {
  const visit = visited(meeting);
  const { nextCrawlAt, ...rest } = planReading(visit, refresh);
  const waitSeconds =
    nextCrawlAt === undefined ? undefined : (nextCrawlAt.getTime() - visit.fetchedAt.getTime()) / 1000;
  return { ...rest, waitSeconds };
};

describe('a page read for the first time', () => {
  it('is read again after the first interval', () => {
    expect(plan({ kind: 'page', text: 1 })).toMatchObject({
      ...{ finding: 'new', refreshSeconds: 14 * DAY, waitSeconds: 14 * DAY, missCount: 0, isKept: false },
    });
  });

  it('keeps to floor and ceiling, also where the first interval does not', () => {
    const visit = visited({ kind: 'page', text: 1 });
    const soon = { ...refresh, firstSeconds: DAY, floorSeconds: 2 * DAY };
    expect(planReading(visit, soon)).toMatchObject({ refreshSeconds: 2 * DAY });
    const late = { ...refresh, firstSeconds: 14 * DAY, ceilingSeconds: 7 * DAY };
    expect(planReading(visit, late)).toMatchObject({ refreshSeconds: 7 * DAY });
  });

  it('that was none is planned no reading, whatever it met', () => {
    for (const kind of KINDS.filter((name) => CONSEQUENCES[name].closesAs !== 'fetched')) {
      const nothing = { finding: 'unread', isKept: false, refreshSeconds: undefined, waitSeconds: undefined };
      expect(plan({ kind }), kind).toMatchObject(nothing);
    }
  });

  it('that is a redirect or a file is looked at again like a page', () => {
    for (const kind of ['redirect', 'unwanted-type'] as const) {
      expect(plan({ kind }), kind).toMatchObject({
        finding: 'new',
        waitSeconds: 14 * DAY,
        isReplaced: false,
      });
    }
  });
});

describe('a known page', () => {
  const reread = (meeting: Partial<Meeting>, refreshSeconds: number | undefined) =>
    plan({ kind: 'page', text: 1, ...meeting, known: { ...KNOWN, refreshSeconds } });

  it('with the same text, or that the server calls unchanged, waits half as long again', () => {
    expect(reread({}, 14 * DAY)).toMatchObject({ finding: 'unchanged', refreshSeconds: 21 * DAY });
    expect(plan({ kind: 'not-modified', known: KNOWN })).toMatchObject({
      ...{ finding: 'unchanged', waitSeconds: 21 * DAY, isReplaced: false },
    });
  });

  it('with another text waits half as long', () => {
    expect(reread({ text: 2 }, 14 * DAY)).toMatchObject({ finding: 'changed', refreshSeconds: 7 * DAY });
  });

  it('that never had an interval starts from the first one', () => {
    expect(reread({}, undefined)).toMatchObject({ refreshSeconds: 21 * DAY });
  });

  it('waits neither less than the floor nor longer than the ceiling, from wherever it comes', () => {
    for (const seconds of [1, DAY - 1, DAY, DAY + 1, 2 * DAY, 59 * DAY, 60 * DAY, 90 * DAY, 4000 * DAY]) {
      for (const text of [1, 2]) {
        const { refreshSeconds = 0, waitSeconds } = reread({ text }, seconds);
        expect(refreshSeconds).toBeGreaterThanOrEqual(refresh.floorSeconds);
        expect(refreshSeconds).toBeLessThanOrEqual(refresh.ceilingSeconds);
        expect(waitSeconds).toBe(refreshSeconds);
      }
    }
    expect(reread({ text: 2 }, DAY)).toMatchObject({ refreshSeconds: DAY });
    expect(reread({}, 61 * DAY)).toMatchObject({ refreshSeconds: 90 * DAY });
  });

  it('waits whole seconds', () => {
    expect(reread({}, DAY + 1)).toMatchObject({ refreshSeconds: Math.round((DAY + 1) * 1.5) });
    expect(reread({ text: 2 }, 3 * DAY + 1)).toMatchObject({ refreshSeconds: Math.round((3 * DAY + 1) / 2) });
  });

  it('stays within its bounds over any history, and returns to the floor and the ceiling', () => {
    let known: KnownReading = KNOWN;
    const seen = new Set<number>();
    let seed = 7;
    for (let reading = 0; reading < 2000; reading += 1) {
      seed = (seed * 48_271) % 2_147_483_647;
      // Long stretches of one kind, so that both bounds are met.
      const text = Math.floor(reading / 40) % 2 === 0 ? 1 + (seed % 2) : 1;
      const { refreshSeconds } = planReading(visited({ kind: 'page', text, known }), refresh);
      expect(Number.isInteger(refreshSeconds)).toBe(true);
      seen.add(refreshSeconds ?? 0);
      known = { ...known, refreshSeconds };
    }
    expect(Math.min(...seen)).toBe(refresh.floorSeconds);
    expect(Math.max(...seen)).toBe(refresh.ceilingSeconds);
  });

  it('that is a redirect or a file now has changed, once: there is no page to compare with any more', () => {
    for (const kind of ['redirect', 'unwanted-type'] as const) {
      expect(plan({ kind, known: KNOWN }), kind).toMatchObject({
        ...{ finding: 'changed', isReplaced: true, refreshSeconds: 7 * DAY },
      });
      const known = { ...KNOWN, contentHash: undefined };
      expect(plan({ kind, known }), kind).toMatchObject({ finding: 'unchanged', isReplaced: false });
      expect(plan({ kind: 'page', text: 1, known }), kind).toMatchObject({ finding: 'changed' });
    }
  });
});

describe('a known page that is missing', () => {
  const miss = (missCount: number, isDomainHealthy: boolean) =>
    plan({ kind: 'gone', known: { ...KNOWN, missCount }, isDomainHealthy });

  it('is kept and asked for at the floor, with the interval it had, until it has been missing often enough', () => {
    for (const missCount of [0, 1]) {
      expect(miss(missCount, true)).toMatchObject({
        ...{ finding: 'missing', isKept: true, missCount: missCount + 1 },
        ...{ waitSeconds: refresh.floorSeconds, refreshSeconds: 14 * DAY },
      });
    }
    // Also then it is looked for again, as seldom as may be.
    expect(miss(2, true)).toMatchObject({
      finding: 'gone',
      isKept: true,
      waitSeconds: refresh.ceilingSeconds,
    });
    expect(miss(3, true)).toMatchObject({ finding: 'gone', missCount: 4 });
  });

  it('is in quarantine, but never more than that, while nobody can say whose fault it is', () => {
    expect(miss(0, false)).toMatchObject({ finding: 'missing', missCount: 1 });
    expect(miss(1, false)).toMatchObject({ finding: 'missing', missCount: 1 });
    expect(miss(2, false)).toMatchObject({ finding: 'missing', missCount: 2 });
  });

  it('and is there again has never been missing', () => {
    const known = { ...KNOWN, missCount: 2 };
    expect(plan({ kind: 'page', text: 1, known })).toMatchObject({ finding: 'unchanged', missCount: 0 });
    expect(plan({ kind: 'not-modified', known })).toMatchObject({ finding: 'unchanged', missCount: 0 });
  });
});

describe('a known page that could not be read', () => {
  const known = { ...KNOWN, missCount: 1 };
  const UNREADABLE = KINDS.filter(
    (kind) =>
      CONSEQUENCES[kind].closesAs !== 'fetched' &&
      !['gone', 'throttled', 'robots-denied', 'private-address'].includes(kind),
  );

  it.each(UNREADABLE)('(%s) stays as it is and is asked for at the floor', (kind) => {
    expect(plan({ kind, known })).toMatchObject({
      ...{ finding: 'unread', isKept: true, missCount: 1 },
      ...{ refreshSeconds: 14 * DAY, waitSeconds: refresh.floorSeconds },
    });
  });

  it('because its domain rests is as due as it was', () => {
    expect(plan({ kind: 'throttled', known })).toMatchObject({ isKept: true, waitSeconds: 0, missCount: 1 });
  });

  it.each(['robots-denied', 'private-address'] as const)(
    'because it may not be (%s) is kept, and looked at in its own time',
    (kind) => {
      expect(plan({ kind, known })).toMatchObject({ isKept: true, waitSeconds: 14 * DAY, missCount: 1 });
    },
  );
});
