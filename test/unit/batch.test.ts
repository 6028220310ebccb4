import { describe, expect, it } from 'vitest';
import { Batch } from '../../src/engine/ingest/batch.ts';
import { sumByDomain, tallyVisits } from '../../src/engine/ingest/domain-sums.ts';
import type { Visit } from '../../src/engine/visit.ts';
import { candidateOf, visitOf } from '../support/crawl-claims.ts';

const lease = (domainId: number, version = 1) => ({
  ...{ domainId, domain: `d${domainId}.example`, parentDomain: `d${domainId}.example`, version },
});
const nothing = () => ({ own: [], foreign: new Map() });
const visit = (under: ReturnType<typeof lease>, n: number): Visit => visitOf(under, Buffer.from(`hash-${n}`));

describe('Batch', () => {
  it('knows every lease it writes under, also two of one domain', () => {
    const batch = new Batch();
    const [first, again, other] = [lease(1), lease(1, 3), lease(2)];
    batch.addVisit(visit(first, 1), nothing());
    batch.addVisit(visit(first, 2), nothing());
    batch.addFound(again, { own: [candidateOf('https://d1.example/x')], foreign: new Map() });
    batch.addSitemap({ lease: other, url: 'x', state: 'done', urlsCount: 0, note: undefined, children: [] });
    expect([...batch.leases]).toEqual([first, again, other]);
    expect(batch.visitedByLease()).toEqual(new Map([[first, ['hash-1', 'hash-2']]]));
  });

  it('is empty, and holds no lease, as long as nothing is to be written', () => {
    const batch = new Batch();
    batch.tally('skip:scope');
    batch.addFound(lease(1), nothing());
    expect(batch.isEmpty).toBe(true);
    expect(batch.leases.size).toBe(0);
    batch.addFound(lease(1), {
      own: [],
      foreign: new Map([['b.example', [candidateOf('https://b.example/')]]]),
    });
    expect(batch.isEmpty).toBe(false);
  });

  it('gathers links into one domain from several pages', () => {
    const batch = new Batch();
    for (const n of [1, 2]) {
      const foreign = new Map([['b.example', [candidateOf(`https://b.example/${n}`)]]]);
      batch.addVisit(visit(lease(1), n), { own: [], foreign });
    }
    expect(batch.foreign.get('b.example')?.map(({ url }) => url)).toEqual([
      'https://b.example/1',
      'https://b.example/2',
    ]);
  });

  it('counts what it found in other domains too: pages can link to any number of them', () => {
    const batch = new Batch();
    for (const n of [1, 2]) {
      const foreign = new Map(
        ['b.example', `c${n}.example`].map((d) => [d, [candidateOf(`https://${d}/${n}`)]]),
      );
      batch.addVisit(visit(lease(1), n), { own: [candidateOf(`https://d1.example/${n}`)], foreign });
    }
    expect(batch.candidateCount).toBe(6);
  });
});

describe('what a batch adds to the counters', () => {
  const page = visit(lease(1), 1);
  const denied: Visit = {
    ...visit(lease(1), 2),
    page: undefined,
    outcome: { ...page.outcome, kind: 'robots-denied', httpStatus: undefined },
  };
  const gone: Visit = {
    ...visit(lease(1), 3),
    page: undefined,
    outcome: { ...page.outcome, kind: 'gone', httpStatus: 404 },
  };

  it('a URL robots.txt denied is no fetch, a missing page is an error, a page is a page', () => {
    const saved = [{ domain_id: 1, images_count: 3, is_new: true }];
    const sums = sumByDomain([page, denied, gone], saved, [1, 2]);
    expect(sums.get(1)).toMatchObject({
      pages: 1,
      newPages: 1,
      newImages: 3,
      fetches: 2,
      errors: 1,
      bytes: 20,
    });
    expect(sums.get(2)).toMatchObject({ pages: 0, fetches: 0 });
  });

  it('a page that was there before is read again, but is not a page more', () => {
    const saved = [{ domain_id: 1, images_count: 3, is_new: false }];
    expect(sumByDomain([page], saved, [1]).get(1)).toMatchObject({ pages: 1, newPages: 0, newImages: 0 });
  });

  it('tallies outcomes, status codes and denials beside what was tallied before', () => {
    expect(Object.fromEntries(tallyVisits([page, denied, gone], [], new Map([['skip:scope', 4]])))).toEqual({
      'skip:scope': 4,
      'status:200': 1,
      'outcome:page': 1,
      'skip:robots': 1,
      'status:404': 1,
      'outcome:gone': 1,
    });
  });
});
