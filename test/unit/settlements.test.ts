/** Every settlement the engine can come to, against the moves the database accepts. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Settlement, settleDomain } from '../../src/engine/claim/settle-domain.ts';
import type { FetchFailureReason, FetchResult } from '../../src/engine/fetch/fetch-result.ts';
import { noteVisit } from '../../src/engine/note-visit.ts';
import { CONSEQUENCES, judgeFetch, type Outcome, type OutcomeKind } from '../../src/engine/outcome.ts';
import { askRobots } from '../../src/engine/politeness/ask-robots.ts';
import { makeSession } from '../support/crawl-session.ts';

const migration = readFileSync(new URL('../../migrations/0002_fleet.up.sql', import.meta.url), 'utf8');
const moves = new Set(
  [...migration.matchAll(/\('active', '(\w+)', '(\w+)', '[^']+'\)/g)].map(([, to, code]) => `${to} ${code}`),
);

const FAILURES = Object.keys({
  ...{ 'bad-url': 0, 'private-address': 0, 'dns-not-found': 0, 'dns-failed': 0, 'connect-refused': 0 },
  ...{ 'connect-failed': 0, 'connect-timeout': 0, 'tls-failed': 0, 'headers-timeout': 0, 'body-timeout': 0 },
  ...{ dropped: 0, 'protocol-error': 0, 'bad-length': 0, 'bad-encoding': 0, 'too-large': 0, aborted: 0 },
  ...{ 'bad-port': 0, 'no-socket': 0, 'no-exit': 0 },
  ...{ 'proxy-unreachable': 0, 'proxy-auth': 0, 'proxy-tunnel': 0, 'proxy-protocol': 0 },
} satisfies Record<FetchFailureReason, 0>) as FetchFailureReason[];

const timing = { sentAtMs: 0, headersAtMs: 1, durationMs: 2 };
const failed = (reason: FetchFailureReason): FetchResult => ({
  ...{ kind: 'failure', reason, message: `it ${reason}`, status: undefined, timing },
});
function answer(status: number): FetchResult {
  const [body, head] = [Buffer.from(''), { status, headers: [], remoteAddress: undefined }];
  return { kind: 'response', ...head, rawBody: body, body, isTruncated: false, timing };
}

const at = new Date(0);
const outcomes: Outcome[] = [
  ...FAILURES.map((reason) => judgeFetch(failed(reason), at)),
  ...Array.from({ length: 400 }, (_, n) => judgeFetch(answer(200 + n), at)),
  ...(Object.keys(CONSEQUENCES) as OutcomeKind[]).map((kind) => ({
    ...{ kind, httpStatus: undefined, message: undefined, holdMs: undefined },
  })),
  { kind: 'redirect', httpStatus: 302, message: 'to a login', holdMs: undefined, login: 'redirect' },
  { kind: 'page', httpStatus: 200, message: 'a login', holdMs: undefined, login: 'form' },
];

/** A session that sees the outcome `count` times after `pages` pages, a rest apart, and then ends. */
function settleAfter(outcome: Outcome, count: number, pages: number): Settlement {
  const session = makeSession();
  const page: Outcome = { kind: 'page', httpStatus: 200, message: undefined, holdMs: undefined };
  for (let n = 0; n < pages; n += 1) noteVisit(session, page, { maxHoldMs: 600_000 }, 0);
  for (let n = 0; n < count; n += 1) {
    const nowMs = n * 3_600_000;
    session.gate.breaker.isProbing(nowMs);
    noteVisit(session, outcome, { maxHoldMs: 600_000 }, nowMs);
  }
  return settleDomain({ ...session.facts, isDry: true });
}

/** Whatever a session of one outcome, or of nothing but denials, can end as. */
const settlements: readonly Settlement[] = [
  ...outcomes.flatMap((outcome) =>
    [1, 4, 30].flatMap((count) => [0, 3].map((pages) => settleAfter(outcome, count, pages))),
  ),
  settleDomain({ ...makeSession().facts, isDry: true, robotsDeniedCount: 1 }),
];

/** The database is told nothing of a session's code as long as the domain stays active. */
function moveOf({ status, code }: Settlement): string | undefined {
  if (status === 'active') return undefined;
  return `${status} ${status === 'exhausted' ? 'all_done' : code}`;
}

function expectLegal(settlement: Settlement): void {
  const move = moveOf(settlement);
  if (move === undefined) return;
  expect([...moves]).toContain(move);
  expect(settlement.restMs).toBeGreaterThan(0);
  if (settlement.status !== 'exhausted') expect(settlement.reason).toMatch(/\w/);
}

describe('settlements', () => {
  it('are legal moves, each with a reason and a rest, whatever a session meets', () => {
    for (const settlement of settlements) expectLegal(settlement);
  });

  it('use every code there is for the end of a session, and no other', () => {
    const made = new Set(settlements.flatMap((settlement) => moveOf(settlement) ?? []));
    // A reset is made by a person.
    expect([...made].sort()).toEqual([...moves].filter((move) => move !== 'exhausted reset').sort());
  });

  it('by robots.txt are legal too', async () => {
    const answers = [...FAILURES.map(failed), ...[403, 404, 429, 500, 503].map(answer)];
    const codes = new Set<string | undefined>();
    for (const result of answers) {
      const asked = await askRobots({
        ...{ session: makeSession(), origin: 'https://a.example', known: undefined, maxHoldMs: 60_000 },
        fetch: async () => result,
        wait: async () => undefined,
      });
      if (asked.kind !== 'ended') continue;
      expectLegal(asked.end);
      codes.add(asked.end.code);
    }
    expect(codes.size).toBe(8);
  });
});
