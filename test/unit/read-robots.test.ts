import { describe, expect, it } from 'vitest';
import type { FetchRequest, FetchResult } from '../../src/engine/fetch/fetch-result.ts';
import { readRobots } from '../../src/engine/politeness/read-robots.ts';

const now = new Date('2026-11-15T12:00:00Z');
const timing = { sentAtMs: 0, headersAtMs: 1, durationMs: 2 };
const HOUR_MS = 3_600_000;

function answer(status: number, text = '', headers: readonly string[] = []): FetchResult {
  const body = Buffer.from(text);
  const head = { status, headers, remoteAddress: undefined };
  return { kind: 'response', ...head, rawBody: body, body, isTruncated: false, timing };
}
const redirect = (location: string): FetchResult => ({
  ...{ kind: 'redirect', location, status: 301, headers: [], remoteAddress: undefined, timing },
});
const failure: FetchResult = {
  kind: 'failure',
  reason: 'dropped',
  message: 'gone',
  status: undefined,
  timing,
};

function read(answers: readonly FetchResult[]) {
  const asked: FetchRequest[] = [];
  const fetch = async (request: FetchRequest): Promise<FetchResult> => {
    asked.push(request);
    return answers[Math.min(asked.length, answers.length) - 1] ?? failure;
  };
  const reading = readRobots('https://a.example', 'Bot/1', fetch, () => now);
  return reading.then((result) => ({ ...result, asked }));
}

describe('readRobots', () => {
  it('asks the origin for /robots.txt, whatever its type, and cuts it rather than refusing it', async () => {
    const { asked, reading } = await read([answer(200, 'User-agent: *\nDisallow: /x')]);
    expect(asked).toMatchObject([
      { url: 'https://a.example/robots.txt', userAgent: 'Bot/1', accept: 'any', onOversize: 'truncate' },
    ]);
    expect(asked[0]?.maxBodyBytes).toBeGreaterThanOrEqual(500 * 1024);
    expect(reading).toMatchObject({ origin: 'https://a.example', access: 'parse', httpStatus: 200 });
    expect(reading.expiresAt.getTime() - now.getTime()).toBe(24 * HOUR_MS);
  });

  it.each([
    [404, 'allow-all', 24],
    [403, 'allow-all', 24],
    [500, 'disallow-all', 1],
    [503, 'disallow-all', 1],
    [429, 'defer', 1],
  ])('%i means %s, and is asked about again after %i h', async (status, access, hours) => {
    const { reading } = await read([answer(status, 'User-agent: *\nDisallow: /')]);
    expect(reading).toMatchObject({ access, body: undefined });
    expect(reading.expiresAt.getTime() - now.getTime()).toBe(hours * HOUR_MS);
  });

  it('no answer disallows everything, and says why', async () => {
    const { reading, failure: why } = await read([failure]);
    expect(reading).toMatchObject({ access: 'disallow-all', note: 'gone' });
    expect(why).toBe(failure);
  });

  it('follows five redirects to the rules of the origin that was asked', async () => {
    const hops = [1, 2, 3, 4, 5].map((n) => redirect(`https://cdn.example/${n}`));
    const { reading, asked } = await read([...hops, answer(200, 'User-agent: *')]);
    expect(asked).toHaveLength(6);
    expect(asked[5]?.url).toBe('https://cdn.example/5');
    expect(reading).toMatchObject({ origin: 'https://a.example', access: 'parse' });
  });

  it('a sixth redirect means there are no rules', async () => {
    const { reading, asked } = await read([redirect('https://a.example/robots.txt')]);
    expect(asked).toHaveLength(6);
    expect(reading.access).toBe('allow-all');
  });

  it('tells how long it was asked to wait', async () => {
    expect((await read([answer(429, '', ['Retry-After', '7'])])).retryAfter).toBe('7');
  });
});
