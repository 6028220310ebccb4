/** Machines need not agree on the time: schedules go by the database's clock, whatever that of the program says. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useClock } from '../../src/platform/clock.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { type Handler, htmlPage } from '../origin/site.ts';
import { runTestCrawl } from '../support/crawl-support.ts';
import { readState } from '../support/domain-history.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { readUrlReadings } from '../support/refresh-rows.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin();
  database = await createTestDatabase();
});
afterEach(() => useClock(Date.now));
afterAll(async () => {
  await origin.close();
  await database.drop();
});

describe.each([
  ['an hour ahead', 'ahead', 3_600_000],
  ['an hour behind', 'behind', -3_600_000],
])('a machine whose clock is %s', (_what, name, skewMs) => {
  it('tries again when the time has come, and plans the next reading like any other', async () => {
    const flaky: Handler = ({ response, visit }) => {
      response.writeHead(visit === 1 ? 500 : 200, { 'content-type': 'text/html' });
      response.end(htmlPage('Flaky'));
    };
    origin.site(name, { pages: { '/': htmlPage('Home', ['/flaky']), '/flaky': flaky } });
    useClock(() => Date.now() + skewMs);
    const { end } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl(name, '/')] });
    expect(end.reason).toBe('complete');
    const [first, second] = origin.requestsTo(name, '/flaky');
    // A second, less what the commit took.
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(500);
    expect(await readUrlReadings(database.db, name)).toMatchObject({
      '/': { inHours: 336 },
      '/flaky': { outcome: 'page', inHours: 336 },
    });
    expect(await readState(database.db, name)).toMatchObject({ status: 'exhausted', restHours: 336 });
  });

  it('waits for a domain that rests no longer than it has to', async () => {
    const busy: Handler = ({ response, visit }) => {
      if (visit === 1) response.writeHead(503, { 'retry-after': '1' }).end('later');
      else response.writeHead(200, { 'content-type': 'text/html' }).end(htmlPage('Rested'));
    };
    origin.site(`${name}-rest`, { pages: { '/': busy } });
    useClock(() => Date.now() + skewMs);
    // A limited crawl gives a resting domain back, and waits for it by what the database says.
    const order = { db: database.db, seeds: [origin.hostUrl(`${name}-rest`, '/')], maxPages: 5 };
    const { end, summary } = await runTestCrawl(order);
    expect(end.reason).toBe('complete');
    expect(summary.pages).toBe(1);
  });
});
