import { describe, expect, it } from 'vitest';
import type { FetchFailureReason, FetchResult } from '../../src/engine/fetch/fetch-result.ts';
import { askRobots } from '../../src/engine/politeness/ask-robots.ts';
import type { RobotsReading } from '../../src/engine/politeness/robots-book.ts';
import { makeSession } from '../support/crawl-session.ts';

const timing = { sentAtMs: 0, headersAtMs: 1, durationMs: 2 };
const DAY_MS = 86_400_000;

function answer(status: number, text = '', headers: readonly string[] = []): FetchResult {
  const body = Buffer.from(text);
  const head = { status, headers, remoteAddress: undefined };
  return { kind: 'response', ...head, rawBody: body, body, isTruncated: false, timing };
}
const failed = (reason: FetchFailureReason): FetchResult => ({
  ...{ kind: 'failure', reason, message: `it ${reason}`, status: undefined, timing },
});

async function ask(answers: readonly FetchResult[], known?: RobotsReading) {
  const waitsMs: number[] = [];
  let asked = 0;
  const result = await askRobots({
    session: makeSession(),
    origin: 'https://a.example',
    fetch: async () => {
      asked += 1;
      return answers[Math.min(asked, answers.length) - 1] ?? failed('dropped');
    },
    wait: async (ms) => void waitsMs.push(ms),
    known,
    maxHoldMs: 60_000,
  });
  return { result, waitsMs, asked };
}

function reading(ageMs: number): RobotsReading {
  const fetchedAt = new Date(Date.now() - ageMs);
  const body = Buffer.from('User-agent: *\nDisallow: /x');
  const facts = { origin: 'https://a.example', access: 'parse' as const, httpStatus: 200, note: undefined };
  return { ...facts, body, fetchedAt, expiresAt: new Date(fetchedAt.getTime() + DAY_MS) };
}

describe('askRobots', () => {
  it('takes the first answer there is', async () => {
    const { result, asked } = await ask([answer(200, 'User-agent: *')]);
    expect(result).toMatchObject({ kind: 'read', reading: { access: 'parse' } });
    expect(asked).toBe(1);
  });

  it('asks three times before it gives up on a server that fails', async () => {
    const { result, waitsMs, asked } = await ask([answer(500)]);
    expect(asked).toBe(3);
    expect(waitsMs).toEqual([2000, 4000]);
    expect(result).toMatchObject({
      kind: 'ended',
      end: { status: 'active', code: 'robots_unavailable', restMs: 3_600_000 },
    });
  });

  it('a port that is not for the web is not asked twice, and ends like an address that is not', async () => {
    const { result, asked } = await ask([failed('bad-port')]);
    expect(asked).toBe(1);
    expect(result).toMatchObject({ kind: 'ended', end: { status: 'active', code: 'private_address' } });
  });

  it('a server that recovers meanwhile is read', async () => {
    const { result } = await ask([failed('dropped'), answer(404)]);
    expect(result).toMatchObject({ kind: 'read', reading: { access: 'allow-all' } });
  });

  it('waits as long as it is asked to, and not at all when that is too long', async () => {
    const soon = await ask([answer(429, '', ['Retry-After', '9']), answer(404)]);
    expect(soon.waitsMs).toEqual([9000]);
    const late = await ask([answer(429, '', ['Retry-After', '7200'])]);
    expect(late.asked).toBe(1);
    expect(late.result).toMatchObject({ kind: 'ended', end: { code: 'robots_deferred', restMs: 7_200_000 } });
  });

  it('goes by rules read earlier while the server is down, for a month at most', async () => {
    const recent = await ask([answer(503)], reading(3 * DAY_MS));
    expect(recent.result).toMatchObject({ kind: 'read', reading: { access: 'parse', httpStatus: 200 } });
    const old = await ask([answer(503)], reading(31 * DAY_MS));
    expect(old.result.kind).toBe('ended');
  });

  it.each<[FetchFailureReason, string, string]>([
    ['dns-not-found', 'unreachable', 'dns_failure'],
    ['dns-failed', 'unreachable', 'dns_failure'],
    ['connect-refused', 'unreachable', 'connect_refused'],
    ['connect-timeout', 'unreachable', 'connect_timeout'],
    ['connect-failed', 'unreachable', 'connection_failure'],
    ['tls-failed', 'unreachable', 'tls_failure'],
    ['private-address', 'active', 'private_address'],
    ['protocol-error', 'active', 'robots_unavailable'],
  ])('a server that %s leaves the domain %s by %s', async (reason, status, code) => {
    const { result } = await ask([failed(reason)]);
    expect(result).toMatchObject({ kind: 'ended', end: { status, code } });
    expect(result.kind === 'ended' && result.end.reason).toContain(reason);
  });

  it('does not ask again for a name that does not exist or an address we refuse', async () => {
    expect((await ask([failed('dns-not-found')])).asked).toBe(1);
    expect((await ask([failed('private-address')])).asked).toBe(1);
  });

  it('concludes nothing from being called off, and keeps what was known', async () => {
    const { result, asked } = await ask([failed('aborted')], reading(DAY_MS));
    expect(result).toEqual({ kind: 'called-off' });
    expect(asked).toBe(1);
  });
});
