/** Maintenance windows: every day between two times of its own zone a domain is left alone. */
import { beforeEach, describe, expect, test } from 'vitest';
import { changeSettings } from '../../src/control/domains/change-settings.ts';
import { advance } from '../support/moving-clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { plantDomain, plantTask, readRow, tick } from '../support/scheduling.ts';

let database: TestDatabase;
let clockMs: number;
beforeEach(async () => {
  database = await createTestDatabase();
  clockMs = Date.now();
  return () => database.drop();
});

/** Lets it be that moment, to the second. */
async function travelTo(moment: string): Promise<void> {
  const { rows } = await database.db.query<{ now: Date }>('select forager_now() as now');
  await advance(database, { seconds: (Date.parse(moment) - (rows[0]?.now.getTime() ?? clockMs)) / 1000 });
}

interface DomainRow {
  next_crawl_after: Date | null;
}

async function restOf(domain: number): Promise<string | undefined> {
  const { next_crawl_after } = await readRow<DomainRow>(database, 'domains', domain);
  return next_crawl_after?.toISOString().slice(0, 16);
}

const window = (start: string, end: string, zone = 'UTC') => ({
  ...{ maintenance_start: start, maintenance_end: end, maintenance_timezone: zone },
});

describe('a domain rests', () => {
  test.each([
    ['within a day', window('02:00', '04:00'), '2027-01-10T02:30:00Z', '2027-01-10T04:00'],
    ['at its first moment', window('02:00', '04:00'), '2027-01-10T02:00:01Z', '2027-01-10T04:00'],
    ['over midnight, before it', window('22:00', '06:00'), '2027-01-10T23:00:00Z', '2027-01-11T06:00'],
    ['over midnight, after it', window('22:00', '06:00'), '2027-01-11T05:00:00Z', '2027-01-11T06:00'],
    [
      'in a zone of its own',
      window('23:30', '04:00', 'America/New_York'),
      '2027-01-11T04:45:00Z',
      '2027-01-11T09:00',
    ],
    [
      'in the night in which an hour is left out',
      window('01:30', '03:30', 'Europe/Berlin'),
      '2027-03-28T00:45:00Z',
      '2027-03-28T01:30',
    ],
    [
      'in the night in which an hour comes twice',
      window('01:30', '03:30', 'Europe/Berlin'),
      '2027-10-30T23:45:00Z',
      '2027-10-31T02:30',
    ],
  ])('%s', async (_title, columns, moment, until) => {
    const domain = await plantDomain(database, 'a.example', columns);
    await travelTo(moment);
    expect((await tick(database)).counts).toMatchObject({ 'in maintenance': 1 });
    expect(await restOf(domain)).toBe(until);
    expect((await tick(database)).counts).toEqual({});
  });
});

test.each([
  ['before its window', '2027-01-10T01:59:00Z'],
  ['after its window', '2027-01-10T04:00:01Z'],
])('it may be spoken to %s', async (_title, moment) => {
  const domain = await plantDomain(database, 'a.example', window('02:00', '04:00'));
  await travelTo(moment);
  await tick(database);
  expect(await restOf(domain)).toBeUndefined();
});

test('its tasks wait in the queue, and when the window is over it can be claimed', async () => {
  const domain = await plantDomain(database, 'a.example', {
    ...window('02:00', '04:00'),
    status: 'exhausted',
  });
  await travelTo('2027-01-10T02:30:00Z');
  const task = await plantTask(database, domain);
  await tick(database);
  expect(await readRow(database, 'crawl_tasks', task)).toMatchObject({ status: 'queued' });
  expect(await restOf(domain)).toBe('2027-01-10T04:00');
  await travelTo('2027-01-10T04:00:02Z');
  await tick(database);
  expect(await restOf(domain)).toBeUndefined();
  expect(await readRow(database, 'domains', domain)).toMatchObject({ status: 'pending', task_priority: 5 });
});

test('a longer rest stands, and one that somebody holds, or that is off, is left as it is', async () => {
  const columns = window('02:00', '04:00');
  const longer = await plantDomain(database, 'a.example', {
    ...{ ...columns, next_crawl_after: '2027-01-12T00:00:00Z' },
  });
  const held = await plantDomain(database, 'b.example', {
    ...{ ...columns, status: 'active', claimed_by: 'w', claim_expires_at: '2027-01-11T00:00:00Z' },
  });
  const off = await plantDomain(database, 'c.example', { ...columns, is_active: false });
  await travelTo('2027-01-10T02:30:00Z');
  await tick(database);
  expect([await restOf(longer), await restOf(held), await restOf(off)]).toEqual([
    '2027-01-12T00:00',
    undefined,
    undefined,
  ]);
});

test('one whose window is taken away, or moved elsewhere, is free at once', async () => {
  const domain = await plantDomain(database, 'a.example', window('02:00', '04:00'));
  await travelTo('2027-01-10T02:30:00Z');
  await tick(database);
  await changeSettings(database.db, 'a.example', { maintenance: null }, { name: 'test' });
  expect(await restOf(domain)).toBeUndefined();
  const again = { start: '10:00', end: '11:30', timezone: 'asia/kolkata' };
  const changed = await changeSettings(database.db, 'a.example', { maintenance: again }, { name: 'test' });
  expect(changed.maintenance).toEqual({ ...again, timezone: 'Asia/Kolkata' });
  await tick(database);
  expect(await restOf(domain)).toBeUndefined();
  await expect(
    changeSettings(
      database.db,
      'a.example',
      { maintenance: { ...again, timezone: 'Mars/Base' } },
      { name: 'test' },
    ),
  ).rejects.toMatchObject({ code: 'bad-timezone' });
});
