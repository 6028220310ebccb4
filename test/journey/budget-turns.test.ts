/** A worker of the fleet gives every domain its turn: so many pages, then whoever has waited longer. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { goodSite } from '../origin/good-site.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import type { RecordedEvent } from '../support/crawl-support.ts';
import { readState } from '../support/domain-history.ts';
import { runTestFleet, seedFleet } from '../support/fleet-run.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin();
});
afterAll(() => origin.close());

interface Turn {
  readonly domain: string;
  pages: number;
  /** Its place among all claims and releases. */
  readonly claimedAt: number;
  releasedAt: number;
}

/** What each lease was used for, in the order in which they were taken. */
function readTurns(events: readonly RecordedEvent[]): Turn[] {
  const turns: Turn[] = [];
  const open = new Map<string, Turn>();
  for (const [at, { name, event }] of events.entries()) {
    if (name === 'domain:claimed') {
      const turn = {
        domain: nameOf(event.domain),
        pages: 0,
        claimedAt: at,
        releasedAt: Number.POSITIVE_INFINITY,
      };
      turns.push(turn);
      open.set(event.domain, turn);
    }
    if (name === 'url:visited' && event.isPage) {
      const turn = open.get(event.domain);
      if (turn !== undefined) turn.pages += 1;
    }
    if (name === 'domain:released') {
      const turn = open.get(event.domain);
      if (turn !== undefined) turn.releasedAt = at;
    }
  }
  return turns;
}

const nameOf = (domain: string): string => domain.split('.')[0] ?? '';

const SITES = ['one', 'two', 'three', 'four', 'five', 'six'];

async function seedSites(pages: number): Promise<void> {
  database = await createTestDatabase();
  for (const name of SITES) origin.site(name, goodSite({ pages, linksPerPage: 8 }));
  await seedFleet(
    database.db,
    SITES.map((name) => origin.hostUrl(name, '/')),
  );
}

it('each has ten pages at a time, and nobody a second turn while somebody waits for a first', async () => {
  await seedSites(25);
  const { events, end } = await runTestFleet({
    ...{ db: database.db, turnPages: 10, settings: { maxDomains: 2 } },
  });
  expect(end).toBe('idle');
  const turns = readTurns(events);
  for (const name of SITES) {
    const pages = turns.filter(({ domain }) => domain === name).map((turn) => turn.pages);
    expect(pages).toEqual([10, 10, 5]);
    expect(await readState(database.db, name)).toMatchObject({ status: 'exhausted', pages: 25 });
  }
  // Whoever gets a turn has had no more of them than anybody who waits for one.
  for (const [index, turn] of turns.entries()) {
    const number = turns.slice(0, index).filter(({ domain }) => domain === turn.domain).length;
    // A domain given back while this claim was on its way could not be part of it: what counts is who was there
    // when the claim before was told (which may have brought two).
    const knownBy = turns[index - 2]?.claimedAt ?? -1;
    for (const name of SITES) {
      const own = turns.filter(({ domain }) => domain === name);
      const isWaiting = own.every(
        ({ claimedAt, releasedAt }) => claimedAt > turn.claimedAt || releasedAt < knownBy,
      );
      const isFinished = own.every(({ releasedAt }) => releasedAt < turn.claimedAt);
      // Two are claimed at a time: the other of the pair may be told right after.
      const had = own.filter(({ claimedAt }) => claimedAt <= turn.claimedAt + 1).length;
      if (isWaiting && !isFinished) {
        expect(had, `${name} waited while ${turn.domain} had turn ${number + 1}`).toBeGreaterThanOrEqual(
          number,
        );
      }
    }
  }
});

it('a domain with a number of its own has turns of that length, where budgets are divided', async () => {
  await seedSites(12);
  await database.execute("update domains set max_pages_per_run = 4 where domain like 'one.%'");
  const { events } = await runTestFleet({ db: database.db, turnPages: 10, settings: { maxDomains: 2 } });
  const pagesOf = (name: string, of = events): number[] =>
    readTurns(of)
      .filter(({ domain }) => domain === name)
      .map(({ pages }) => pages);
  expect(pagesOf('one').slice(0, 3)).toEqual([4, 4, 4]);
  expect(pagesOf('two')).toEqual([10, 2]);

  await seedSites(12);
  await database.execute("update domains set max_pages_per_run = 4 where domain like 'one.%'");
  const settings = { maxDomains: 2, isBudgetFair: false };
  const unfair = await runTestFleet({ db: database.db, turnPages: 10, settings });
  expect(pagesOf('one', unfair.events)).toEqual([10, 2]);
});

it('a large domain that is always behind its turn does not keep a new one waiting', async () => {
  await seedSites(40);
  let isSeeded = false;
  const { events } = await runTestFleet({
    ...{ db: database.db, turnPages: 10, settings: { maxDomains: 1 } },
    prepare: (_worker, engineEvents) => {
      engineEvents.on('domain:released', () => {
        if (isSeeded) return;
        isSeeded = true;
        origin.site('newcomer', goodSite({ pages: 3, linksPerPage: 2 }));
        void seedFleet(database.db, [origin.hostUrl('newcomer', '/')]);
      });
    },
  });
  const turns = readTurns(events).map(({ domain }) => domain);
  // Before any of the others comes round a second time.
  const second = turns.findIndex((domain, index) => turns.indexOf(domain) < index);
  expect(turns.indexOf('newcomer')).toBeGreaterThan(0);
  expect(turns.indexOf('newcomer')).toBeLessThan(second);
});
