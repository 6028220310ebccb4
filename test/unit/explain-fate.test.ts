import { describe, expect, it } from 'vitest';
import type { DomainDetails } from '../../src/control/domains/read-domain.ts';
import { explainFate } from '../../src/control/explain/explain-fate.ts';
import type { KnownUrl, UrlFacts } from '../../src/control/explain/explain-url.ts';

const show = (date: Date): string => date.toISOString();
const later = new Date('2026-03-01T00:00:00Z');

const known = (changes: Partial<KnownUrl> = {}): KnownUrl => ({
  ...{
    url: 'http://a.example/x',
    state: 'never_crawled',
    depth: 1,
    priority: 2,
    seed: false,
    image: false,
    ahead: 3,
  },
  ...{ status: null, outcome: null, errors: 0, discoveredAt: later, lastCrawledAt: null },
  ...{ retryAt: null, nextCrawlAt: null, isWaiting: false },
  ...changes,
});

const domain = (changes: Partial<DomainDetails> = {}): DomainDetails =>
  ({
    status: 'active',
    reason: null,
    reasonCode: null,
    notBefore: null,
    isActive: true,
    isClaimed: false,
    ...changes,
  }) as DomainDetails;

const facts = (changes: Partial<UrlFacts> = {}): UrlFacts => ({
  ...{
    url: 'http://a.example/x',
    key: 'http://a.example/x',
    hash: '',
    domain: 'a.example',
    parentDomain: 'a.example',
  },
  ...{ trap: null, template: { shape: 'a.example/x', admitted: 0, budget: null }, respectRobots: true },
  ...{ domainState: domain(), unfinishedRuns: [], known: known(), log: [] },
  robots: {
    ...{
      origin: 'http://a.example',
      verdict: 'allowed',
      agent: 'forager',
      rule: null,
      line: null,
      group: 'none',
    },
    ...{ fetchedAt: null, isStale: false, sentence: 'robots.txt speaks.' },
  },
  ...changes,
});

const fate = (changes: Partial<UrlFacts> = {}) => explainFate(facts(changes), show);
const why = (changes: Partial<UrlFacts> = {}) => fate(changes).why.join(' ');

describe('a URL that is due', () => {
  it('will be fetched, in its turn', () => {
    expect(fate()).toMatchObject({ willBeFetched: true });
    expect(why()).toContain('3 due URLs of its domain come before it');
    expect(why({ known: known({ ahead: 10_000 }) })).toContain('10,000 or more');
    expect(why({ unfinishedRuns: [{ run: 7, status: 'interrupted' }] })).toContain('run 7');
  });

  it('is told who works on its domain', () => {
    expect(why({ domainState: domain({ isClaimed: true, claimedBy: 'worker-1' }) })).toContain('worker-1');
  });

  it('waits for a robots.txt that has not been read', () => {
    const undecided = fate({ robots: { ...facts().robots, verdict: 'undecided' } });
    expect(undecided.willBeFetched).toBe(true);
    expect(undecided.why).toHaveLength(2);
  });
});

describe('a URL that is due but will not be fetched', () => {
  it.each([
    [
      'its domain is blocked',
      { domainState: domain({ status: 'blocked', reason: 'they said no', notBefore: later }) },
      'they said no',
    ],
    [
      'its domain is unreachable',
      { domainState: domain({ status: 'unreachable' }) },
      'domain reset a.example',
    ],
    [
      'its domain waits for a proxy',
      { domainState: domain({ reasonCode: 'no_proxy', reason: 'all 3 are out', notBefore: later }) },
      `waits for a proxy (all 3 are out), and looks again after ${show(later)}.`,
    ],
    [
      'its domain rests',
      { domainState: domain({ reasonCode: 'held', notBefore: later }) },
      `rests until ${show(later)} (held)`,
    ],
    ['its domain is switched off', { domainState: domain({ isActive: false }) }, 'switched off'],
    [
      'robots.txt disallows it',
      { robots: { ...facts().robots, verdict: 'disallowed' as const } },
      'robots.txt speaks.',
    ],
    [
      'it waits for another attempt',
      { known: known({ isWaiting: true, retryAt: later, errors: 2, outcome: 'timeout' }) },
      `failed 2 times (timed out) and is tried again after ${show(later)}`,
    ],
  ])('because %s, is told so', (_title, changes, sentence) => {
    expect(fate(changes).willBeFetched).toBe(false);
    expect(why(changes)).toContain(sentence);
  });

  it('hears every reason, not only the first', () => {
    const both = {
      domainState: domain({ isActive: false }),
      known: known({ isWaiting: true, retryAt: later, errors: 1 }),
    };
    expect(fate(both).why).toHaveLength(2);
  });
});

it('does not let robots.txt decide where it is not obeyed', () => {
  expect(
    fate({ respectRobots: false, robots: { ...facts().robots, verdict: 'disallowed' } }).willBeFetched,
  ).toBe(true);
});

it('says of an unknown URL whose shape has used up its budget that links to it are not taken up', () => {
  const template = { shape: 'a.example/calendar/{date}', admitted: 400, budget: 400 };
  expect(why({ known: null, template })).toContain('400 of at most 400');
});
