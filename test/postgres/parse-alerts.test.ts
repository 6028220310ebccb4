/** Parsers that have got worse are told, and only those. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { evaluateAlerts } from '../../src/control/alerts/evaluate-alerts.ts';
import { parseRateLow } from '../../src/control/alerts/parse-rate-low.ts';
import { plantParseHours } from '../support/parse-hours.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { plantDomain } from '../support/scheduling.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.execute('delete from domains'));

async function found(): Promise<string[]> {
  const findings = await parseRateLow.find({ db: database.db, dataDir: undefined });
  return (findings ?? []).map(({ subject, message }) => `${subject}: ${message}`);
}

async function plant(
  domain: string,
  parser: string,
  now: readonly [valid: number, partial: number],
  before?: readonly [valid: number, partial: number],
): Promise<number> {
  const domainId = await plantDomain(database, domain, { parser_name: parser });
  const [valid, partial] = now;
  await plantParseHours(database, { domainId, parser, hoursAgo: 2, version: '2', valid, partial });
  if (before === undefined) return domainId;
  await plantParseHours(database, { domainId, parser, hoursAgo: 72, valid: before[0], partial: before[1] });
  return domainId;
}

test('a drop of more than 20 points is told with domain, parser, versions and both rates', async () => {
  await plant('fell.example', 'generic', [75, 25], [96, 4]);
  await plant('slipped.example', 'generic', [77, 23], [96, 4]);
  await plant('same.example', 'generic', [40, 60], [40, 60]);
  expect(await found()).toEqual([
    'fell.example generic: The parser generic (version 2) finds what a product needs on 75 % of 100 product pages of fell.example; in the seven days before it was 96 % (version 1).',
  ]);
});

test('less than half is told of a parser that was chosen, not of the generic one', async () => {
  await plant('chosen.example', 'my-shop', [49, 51]);
  await plant('half.example', 'my-shop', [50, 50]);
  await plant('any.example', 'generic', [1, 99]);
  expect(await found()).toEqual([
    'chosen.example my-shop: The parser my-shop (version 2) finds what a product needs on 49 % of 100 product pages of chosen.example.',
  ]);
});

test('a few pages say nothing, neither now nor before', async () => {
  await plant('now.example', 'my-shop', [0, 19], [100, 0]);
  await plant('before.example', 'generic', [0, 20], [19, 0]);
  await plant('enough.example', 'generic', [0, 20], [20, 0]);
  expect(await found()).toEqual([expect.stringContaining('enough.example')]);
});

test('a parser that fails itself, and products that are lost, count against it', async () => {
  const domainId = await plantDomain(database, 'broken.example', { parser_name: 'my-shop' });
  await plantParseHours(database, {
    domainId,
    parser: 'my-shop',
    version: 'broken',
    hoursAgo: 1,
    failed: 15,
    lost: 5,
  });
  expect(await found()).toEqual([
    expect.stringMatching(/0 % of 20 product pages .* It has failed itself on 15 of them\.$/),
  ]);
});

test('what a domain has done with is nobody’s concern any more', async () => {
  const domainId = await plant('moved.example', 'my-shop', [0, 100]);
  expect(await found()).toHaveLength(1);
  await database.execute("update domains set parser_name = 'generic' where id = $1", [domainId]);
  expect(await found()).toEqual([]);
});

test('it is raised once, and is over when the parser does well again', async () => {
  const domainId = await plant('fell.example', 'generic', [0, 100], [100, 0]);
  const rules = [parseRateLow];
  await evaluateAlerts({ db: database.db, dataDir: undefined }, rules);
  await evaluateAlerts({ db: database.db, dataDir: undefined }, rules);
  const alerts = () =>
    database.db.query("select resolved_at is null as open, hint from alerts where code = 'parse-rate-low'");
  expect((await alerts()).rows).toMatchObject([
    { open: true, hint: expect.stringContaining('forager parser compare') },
  ]);
  await plantParseHours(database, { domainId, version: '3', hoursAgo: 0, pages: 1000, valid: 1000 });
  await evaluateAlerts({ db: database.db, dataDir: undefined }, rules);
  expect((await alerts()).rows).toMatchObject([{ open: false }]);
});
