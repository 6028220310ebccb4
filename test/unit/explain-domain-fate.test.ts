import { describe, expect, it } from 'vitest';
import type { DomainDetails } from '../../src/control/domains/read-domain.ts';
import type { DomainScore } from '../../src/control/domains/read-domain-score.ts';
import type { DomainFacts, DomainQueue } from '../../src/control/explain/explain-domain.ts';
import { explainDomainFate } from '../../src/control/explain/explain-domain-fate.ts';

const show = (date: Date): string => date.toISOString();
const later = new Date('2026-03-01T00:00:00Z');

const state = (changes: Partial<DomainDetails> = {}): DomainDetails =>
  ({
    ...{ status: 'pending', statusCode: 'seeded', reason: null, reasonCode: null, automaticRetries: 0 },
    ...{ notBefore: null, nextCrawlAfter: null, isActive: true, yieldedAt: null },
    ...{ isClaimed: false, claimedBy: null, claimExpiresAt: null },
    ...changes,
  }) as DomainDetails;

const queue = (changes: Partial<DomainQueue> = {}): DomainQueue => ({
  ...{ run: 0, runStatus: 'running', runMaxPages: null, runMaxPagesPerDomain: null },
  ...{ pagesOfRun: 0, pagesAllowed: null, workers: 1 },
  ...changes,
});

const facts = (changes: Partial<DomainFacts> = {}): DomainFacts => ({
  ...{ domain: 'a.example', domainState: state(), lastMove: null, queue: queue(), claimOrder: 'score' },
  ...{ ahead: 3, budget: 1000, score: {} as DomainScore },
  ...changes,
});

const fate = (changes: Partial<DomainFacts> = {}) => explainDomainFate(facts(changes), show);
const why = (changes: Partial<DomainFacts> = {}) => fate(changes).why.join(' ');

describe('a domain that can be claimed', () => {
  it('is told how many come before it', () => {
    expect(fate()).toEqual({
      willBeClaimed: true,
      why: ['It can be claimed from the queue of the standing order: 3 domains come before it.'],
    });
    expect(why({ ahead: 0 })).toContain('it is the next one');
    expect(why({ ahead: 1 })).toContain('one domain comes before it');
    expect(why({ ahead: 10_000 })).toContain('10,000 domains or more');
    expect(why({ queue: queue({ run: 7 }) })).toContain('the queue of run 7');
  });

  it('hears that others go first once it has had its turn', () => {
    expect(why({ domainState: state({ yieldedAt: later }) })).toContain(`had its turn on ${show(later)}`);
  });

  it('hears who is missing', () => {
    expect(why({ queue: queue({ workers: 0 }) })).toContain('"forager worker" starts one');
    expect(why({ queue: queue({ run: 7, runStatus: 'interrupted', workers: 0 }) })).toContain(
      'Run 7 is interrupted',
    );
    expect(why({ queue: queue({ run: 7, workers: 0 }) })).not.toContain('started again');
  });

  it('hears whose lease ran out', () => {
    expect(why({ domainState: state({ claimedBy: 'w' }) })).toContain('The lease of w ran out');
  });
});

it('that is being worked on says by whom, whatever else there is to say', () => {
  const domainState = state({ isClaimed: true, claimedBy: 'w', claimExpiresAt: later, isActive: false });
  expect(fate({ domainState })).toMatchObject({ willBeClaimed: true });
  expect(why({ domainState })).toContain(`w is at work on it: the lease holds until ${show(later)}`);
});

describe('a domain that will not be claimed', () => {
  it.each([
    ['it is switched off', state({ isActive: false }), 'switched off'],
    [
      'it rests',
      state({ notBefore: later, nextCrawlAfter: later, reasonCode: 'held' }),
      `rests until ${show(later)} (held)`,
    ],
    [
      'it waits for a proxy',
      state({ notBefore: later, nextCrawlAfter: later, reasonCode: 'no_proxy', reason: 'all 3 are out' }),
      `It waits for a proxy (all 3 are out): whether there is one is looked at again after ${show(later)}. "forager proxy pool a.example" shows its proxies. Whoever adds, assigns or enables one wakes it at once; "forager domain set a.example --proxy-mode direct"`,
    ],
    [
      'it was taken from a worker',
      state({ notBefore: later, nextCrawlAfter: later, statusCode: 'reset' }),
      'requests of a worker were under way',
    ],
    ['nobody has woken it', state({ nextCrawlAfter: later }), `over since ${show(later)}`],
    [
      'it is exhausted',
      state({ status: 'exhausted', nextCrawlAfter: later }),
      `read again after ${show(later)}`,
    ],
    ['no refresh is set', state({ status: 'exhausted' }), 'No time is set'],
    [
      'it is blocked',
      state({ status: 'blocked', reason: 'they said no', nextCrawlAfter: later, automaticRetries: 1 }),
      `It is blocked (they said no). It comes back by itself after ${show(later)} (attempt 2 of 3)`,
    ],
    [
      'it came back too often',
      state({ status: 'unreachable', automaticRetries: 3 }),
      'waits for a person. "forager domain reset a.example"',
    ],
  ])('because %s, is told so', (_title, domainState, sentence) => {
    expect(fate({ domainState }).willBeClaimed).toBe(false);
    expect(why({ domainState })).toContain(sentence);
  });

  it('because its run has had its pages, is told so; a turn is no such limit', () => {
    const spent = { budget: 50, queue: queue({ run: 7, pagesOfRun: 50 }) };
    expect(fate(spent)).toMatchObject({ willBeClaimed: false });
    expect(why(spent)).toContain('Run 7 has had its 50 pages');
    expect(fate({ budget: 50, queue: queue({ pagesOfRun: 50 }) })).toMatchObject({ willBeClaimed: true });
  });
});
