/** Who is to blame, told by what several proxies get from one URL. */
import { expect, it } from 'vitest';
import type { FetchFailureReason, FetchResult } from '../../src/engine/fetch/fetch-result.ts';
import type { ProxyEndpoint } from '../../src/engine/fetch/proxy-endpoint.ts';
import { DomainExits, type Pair } from '../../src/engine/proxies/domain-exits.ts';
import { ExitHealth, PAIR_RULES, PROXY_RULES } from '../../src/engine/proxies/exit-health.ts';
import { type ExitUse, fetchThrough } from '../../src/engine/proxies/fetch-through.ts';
import { pageRequest } from '../origin/fetch-from.ts';

type Ending = number | FetchFailureReason | 'block page';

/** What each proxy answers; how it ends; which were asked; what is told of them. */
type Case = [string, (Ending | readonly Ending[])[], Ending, number[], string[]];

function makePair(id: number): Pair {
  const endpoint: ProxyEndpoint = {
    ...{ id, protocol: 'http', host: 'proxy', port: 1, key: `${id}` },
    ...{ username: undefined, password: undefined },
  };
  const known = {
    ...{ isActive: true, isOutForFailures: false, retryInMs: null, failureCount: 0, outagesCount: 0 },
    hasWorked: true,
  };
  return {
    proxy: { endpoint, health: new ExitHealth(PROXY_RULES, known), lastUsedMs: 0, isSealed: false },
    health: new ExitHealth(PAIR_RULES, known),
    ...{
      priority: 5,
      lastUsedMs: id,
      responseMs: 1,
      limitedUntilMs: 0,
      believedCount: 0,
      lastError: undefined,
    },
    grants: [{ minute: new Date(0), expiresAtMs: 10 ** 9, count: 100 }],
  };
}

function answer(ending: Ending): FetchResult {
  const timing = { sentAtMs: 0, headersAtMs: 0, durationMs: 7 };
  if (typeof ending !== 'number' && ending !== 'block page') {
    return { kind: 'failure', reason: ending, message: `it ended: ${ending}`, status: undefined, timing };
  }
  const body = Buffer.from(
    ending === 'block page' ? '<title>Just a moment...</title>' : '<title>A page</title>',
  );
  const status = ending === 'block page' ? 200 : ending;
  return {
    ...{ kind: 'response', status, headers: ['retry-after', '60'], remoteAddress: undefined },
    ...{ rawBody: body, body, isTruncated: false, timing },
  };
}

/** Each proxy answers in its own way every time it is asked; with a list, one after the other. */
async function ask(endings: readonly (Ending | readonly Ending[])[]) {
  const pairs = endings.map((_, index) => makePair(index + 1));
  const exits = new DomainExits({ isSticky: false, soon: 100 });
  exits.replacePairs(pairs, 0);
  const asked: number[] = [];
  const uses: ExitUse[] = [];
  const pauses: number[] = [];
  const [first] = pairs;
  if (first === undefined) throw new Error('no proxy');
  exits.take(first, 1000);
  const result = await fetchThrough(
    first,
    { ...pageRequest('http://example.com/'), repeatDelayMs: 500 },
    {
      ...{ exits, nowMs: () => 1000, note: (use) => void uses.push(use) },
      fetch: async ({ via }) => {
        const id = via?.id ?? 0;
        const ending = endings[id - 1] ?? 200;
        const times = asked.filter((one) => one === id).length;
        asked.push(id);
        return { ...answer(Array.isArray(ending) ? ending[times] : (ending as Ending)), proxyId: id };
      },
      pause: async (ms) => {
        pauses.push(ms);
        return true;
      },
    },
  );
  const told = uses
    .toSorted((a, b) => a.proxyId - b.proxyId)
    .map(({ proxyId, pair, proxy }) => `${proxyId}: ${pair}/${proxy}`);
  const end = result.kind === 'failure' ? result.reason : result.status;
  // Nobody is left in use.
  for (const pair of pairs) expect(pair.health.admits(1000) || pair.health.state === 'out').toBe(true);
  return { end, asked, told, pauses, pairs };
}

it.each<Case>([
  ['it works', [200, 200], 200, [1], ['1: success/success']],
  ['a server error is an answer', [500, 200], 500, [1], ['1: success/success']],
  [
    'a proxy that refuses',
    ['proxy-unreachable', 200],
    200,
    [1, 2],
    ['1: failure/failure', '2: success/success'],
  ],
  [
    'a proxy that wants another login',
    ['proxy-auth', 200],
    200,
    [1, 2],
    ['1: failure/failure', '2: success/success'],
  ],
  [
    'a tunnel that others can make',
    ['proxy-tunnel', 200],
    200,
    [1, 2],
    ['1: failure/failure', '2: success/success'],
  ],
  [
    'a drop that others do not see',
    ['dropped', 200],
    200,
    [1, 2],
    ['1: failure/failure', '2: success/success'],
  ],
  [
    'two that fail each in its own way',
    ['proxy-unreachable', 'headers-timeout', 200],
    200,
    [1, 2, 3],
    ['1: failure/failure', '2: failure/failure', '3: success/success'],
  ],
  [
    'three who cannot reach it',
    ['proxy-tunnel', 'proxy-tunnel', 'proxy-tunnel', 200],

    'connect-failed',
    [1, 2, 3],
    ['1: neither/neither', '2: neither/neither', '3: neither/neither'],
  ],
  [
    'all there are, two, see no answer',
    ['headers-timeout', 'headers-timeout'],
    'headers-timeout',
    [1, 2],
    ['1: neither/neither', '2: neither/neither'],
  ],
  ['the only one refuses', ['proxy-unreachable'], 'no-exit', [1], ['1: failure/failure']],
  [
    'the only one, which has reached the site before, makes no tunnel',
    ['proxy-tunnel'],
    'connect-failed',
    [1, 1],
    ['1: neither/neither', '1: neither/neither'],
  ],
  [
    'the site says, twice, that it is a gateway',
    [502, 504],
    504,
    [1, 2],
    ['1: neither/neither', '2: neither/neither'],
  ],
  [
    'a gateway that others do not need',
    [502, 200],
    200,
    [1, 2],
    ['1: failure/failure', '2: success/success'],
  ],
  ['the only one is a bad gateway', [502], 502, [1, 1], ['1: neither/neither', '1: neither/neither']],
  [
    'all say that they refuse our login, which the site can say as well',
    ['proxy-auth', 'proxy-auth'],
    'no-exit',
    [1, 2],
    ['1: failure/neither', '2: failure/neither'],
  ],
  [
    'the only one drops twice',
    [['dropped', 'dropped']],
    'dropped',
    [1, 1],
    ['1: neither/neither', '1: neither/neither'],
  ],
  [
    'the only one drops, and is gone',
    [['dropped', 'proxy-unreachable']],
    'no-exit',
    [1, 1],
    ['1: failure/failure', '1: failure/failure'],
  ],
  ['the only one drops once', [['dropped', 200]], 200, [1, 1], ['1: success/success', '1: failure/failure']],
  ['one is turned away', [403, 200], 200, [1, 2], ['1: failure/success', '2: success/success']],
  ['one meets a wall', ['block page', 200], 200, [1, 2], ['1: failure/success', '2: success/success']],
  [
    'three are turned away',
    [403, 403, 429, 200],
    429,
    [1, 2, 3],
    ['1: shared failure/success', '2: shared failure/success', '3: shared failure/success'],
  ],
  ['the only one is turned away', [403], 403, [1], ['1: failure/success']],
  ['the address is not for us', ['private-address', 200], 'private-address', [1], []],
  ['the machine has no socket', ['no-socket', 200], 'no-socket', [1], []],
])('%s', async (_what, endings, end, asked, told) => {
  const seen = await ask(endings);
  expect([seen.end, seen.asked, [...seen.told].sort()]).toEqual([end, asked, [...told].sort()]);
});

it('a single proxy is believed a few times in a row, not for ever, and is then out for this domain only', async () => {
  const [pair] = [makePair(1)];
  const ends: string[] = [];
  const uses: ExitUse[] = [];
  const exits = new DomainExits({ isSticky: false, soon: 100 });
  exits.replacePairs([pair], 0);
  while (pair.health.state === 'in' && ends.length < 20) {
    exits.take(pair, 1000);
    const result = await fetchThrough(pair, pageRequest('http://example.com/'), {
      ...{ exits, nowMs: () => 1000, note: (use) => void uses.push(use), pause: async () => true },
      fetch: async () => answer('proxy-tunnel'),
    });
    ends.push(result.kind === 'failure' ? result.reason : 'an answer');
  }
  expect(ends).toEqual([...Array(3).fill('connect-failed'), ...Array(3).fill('no-exit')]);
  expect(pair.proxy.health.failureCount).toBe(0);
});

it('refusals that others meet as well never put a pair out', async () => {
  const { pairs } = await ask([403, 403, 403]);
  for (const pair of pairs) {
    for (let n = 0; n < 10; n += 1) pair.health.failWithOthers();
    expect([pair.health.state, pair.health.failureCount]).toEqual(['in', 4]);
    pair.health.fail(1000);
    expect(pair.health.state).toBe('out');
  }
});

it('what may have reached the target is repeated only after the pause between two requests', async () => {
  const { pauses } = await ask(['proxy-unreachable', 'proxy-tunnel', 403, 200]);
  expect(pauses).toEqual([0, 0, 500]);
});

it('a proxy that is asked to stay away for a while is left alone for that long', async () => {
  const { pairs } = await ask([429, 200]);
  expect(pairs.map(({ limitedUntilMs }) => limitedUntilMs)).toEqual([61_000, 0]);
});
