/** The five switches: what each does, on and off, for a crawl and for a worker, and back again. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { goodSite } from '../origin/good-site.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { expectConsistent } from '../support/crawl-rows.ts';
import { temporaryDirectory } from '../support/crawl-support.ts';
import { seedFleet } from '../support/fleet-run.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type CliRun, runForager } from '../support/run-cli.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin();
});
beforeEach(async () => {
  database = await createTestDatabase();
  origin.forgetRequests();
});
afterEach(() => database.drop());
afterAll(() => origin.close());

/** Not in the order of the alphabet. */
const NAMES = ['pear', 'apple', 'quince', 'cherry'];
const seeds = (): string[] => NAMES.map((name) => origin.hostUrl(name, '/'));
const makeSites = (pages: number): void => {
  for (const name of NAMES) origin.site(name, goodSite({ pages, linksPerPage: 4 }));
};
type Flags = Readonly<Record<string, string>>;

async function forager(args: readonly string[], flags: Flags = {}): Promise<CliRun> {
  const env = { DATABASE_URL: database.url, FORAGER_DELAY_MS: '0', FORAGER_KEEP_BODIES: 'false', ...flags };
  const dataDir = await temporaryDirectory();
  return runForager([...args, '--allow-private', '--json', '--data-dir', dataDir], { env });
}
const crawl = (flags?: Flags, ...args: string[]): Promise<CliRun> =>
  forager(['crawl', ...seeds(), '--no-sitemaps', ...args], flags);
const work = (flags?: Flags): Promise<CliRun> => forager(['worker', '--until-idle'], flags);

/** The sites in the order in which they were first asked for anything. */
const askedOrder = (): string[] => [...new Set(origin.requests.map(({ site }) => site))];
const ONE_AT_A_TIME = { FORAGER_MAX_DOMAINS: '1' };

/** Scores that have nothing to do with the order of naming. */
async function setScores(): Promise<void> {
  for (const [n, name] of ['cherry', 'apple', 'pear', 'quince'].entries()) {
    await database.execute('update domains set priority_score = $1 where starts_with(domain, $2)', [
      ...[100 - n, `${name}.`],
    ]);
  }
}
const BY_SCORE = ['cherry', 'apple', 'pear', 'quince'];

describe('by default', () => {
  it('a crawl tracks, divides and refreshes, but neither schedules nor takes part in the fleet', () => {
    expect(loadConfig({}, {})).toMatchObject({
      ...{ enableDomainTracking: true, enablePerDomainBudget: true, enableRefreshMode: true },
      ...{ enableSmartScheduling: false, enableClaimProtocol: false },
    });
  });
});

describe('ENABLE_SMART_SCHEDULING', () => {
  it('off, as in a crawl by default: domains are taken in the order in which they were named', async () => {
    makeSites(2);
    await crawl(ONE_AT_A_TIME);
    expect(askedOrder()).toEqual(NAMES);
  });

  it('on: by score', async () => {
    makeSites(2);
    await seedFleet(database.db, seeds());
    await setScores();
    await crawl({ ...ONE_AT_A_TIME, ENABLE_SMART_SCHEDULING: 'true', ENABLE_DOMAIN_TRACKING: 'false' });
    expect(askedOrder()).toEqual(BY_SCORE);
  });

  it('on in a worker unless it is switched off', async () => {
    makeSites(2);
    await seedFleet(database.db, seeds());
    await setScores();
    await work({ ...ONE_AT_A_TIME, ENABLE_DOMAIN_TRACKING: 'false' });
    expect(askedOrder()).toEqual(BY_SCORE);
  });

  it('off in a worker: in the order in which they were named, whatever their scores', async () => {
    makeSites(2);
    await forager(['seed', ...seeds()]);
    await setScores();
    await work({ ...ONE_AT_A_TIME, ENABLE_SMART_SCHEDULING: 'false' });
    expect(askedOrder()).toEqual(NAMES);
  });
});

describe('ENABLE_CLAIM_PROTOCOL', () => {
  const registered = async () => {
    const { rows } = await database.db.query('select kind, state, pages_count::int as pages from workers');
    return rows;
  };

  it('off in a crawl by default: nobody is registered, and everything is read all the same', async () => {
    makeSites(3);
    const [end] = (await crawl()).json();
    expect(end).toMatchObject({ pages: 12, reason: 'complete' });
    expect(await registered()).toEqual([]);
  });

  it('on in a crawl: it is in the register, with what it has read', async () => {
    makeSites(3);
    await crawl({ ENABLE_CLAIM_PROTOCOL: 'true' });
    expect(await registered()).toEqual([{ kind: 'crawl', state: 'stopped', pages: 12 }]);
  });

  it('on in a worker by default, off when it is told so', async () => {
    makeSites(3);
    await seedFleet(database.db, seeds());
    await work({ ENABLE_CLAIM_PROTOCOL: 'false' });
    expect(await registered()).toEqual([]);
    await expectConsistent(database.db);
    await work();
    expect(await registered()).toEqual([{ kind: 'worker', state: 'stopped', pages: 0 }]);
  });
});

describe('ENABLE_DOMAIN_TRACKING', () => {
  const tracked = async () => {
    const { rows } = await database.db.query<{ rated: number; scored: number; pages: number }>(
      `select count(error_rate)::int as rated, count(*) filter (where priority_score <> 0)::int as scored,
              sum(pages_crawled)::int as pages from domains`,
    );
    return rows[0];
  };

  it('on: rates and scores are brought up to date as domains are given back', async () => {
    makeSites(3);
    await crawl();
    expect(await tracked()).toMatchObject({ rated: 4, pages: 12 });
  });

  it('off: only what was counted is known, until it is switched on again', async () => {
    makeSites(3);
    await crawl({ ENABLE_DOMAIN_TRACKING: 'false' });
    expect(await tracked()).toEqual({ rated: 0, scored: 0, pages: 12 });
    const { code } = await runForager(['domain', 'reprioritize'], { env: { DATABASE_URL: database.url } });
    expect(code).toBe(0);
    expect(await tracked()).toMatchObject({ rated: 4 });
  });
});

describe('ENABLE_PER_DOMAIN_BUDGET', () => {
  const pagesOf = async (): Promise<number[]> => {
    const { rows } = await database.db.query<{ pages: number }>(
      'select pages_count::int as pages from crawl_run_domains order by pages_count',
    );
    return rows.map(({ pages }) => pages);
  };

  it('on by default: a limit is divided; off: the first takes what it can', async () => {
    makeSites(30);
    await crawl({}, '--max-pages', '20');
    expect(await pagesOf()).toEqual([5, 5, 5, 5]);
    await database.drop();
    database = await createTestDatabase();
    await crawl({ ENABLE_PER_DOMAIN_BUDGET: 'false' }, '--max-pages', '20');
    expect((await pagesOf()).at(-1)).toBe(20);
    expect((await pagesOf()).reduce((sum, pages) => sum + pages, 0)).toBe(20);
  });
});

describe('switched back and forth', () => {
  it('every switch may change between two parts of one crawl, and nothing is lost or read twice', async () => {
    makeSites(30);
    const all = (value: string): Flags => ({
      ENABLE_DOMAIN_TRACKING: value,
      ENABLE_PER_DOMAIN_BUDGET: value,
      ENABLE_SMART_SCHEDULING: value,
      ENABLE_CLAIM_PROTOCOL: value,
      ENABLE_REFRESH_MODE: value,
    });
    for (const [index, value] of ['true', 'false', 'true', 'false'].entries()) {
      const [end] = (await crawl(all(value), '--max-pages', String((index + 1) * 20))).json();
      expect(end).toMatchObject({ pages: (index + 1) * 20, reason: 'budget', isResumed: index > 0 });
      await expectConsistent(database.db);
    }
    const [end] = (await crawl(all('true'))).json();
    expect(end).toMatchObject({ pages: 120, reason: 'complete' });
    await expectConsistent(database.db);
    const paths = origin.requests.filter(({ path }) => path !== '/robots.txt');
    expect(paths).toHaveLength(120);
  });
});
