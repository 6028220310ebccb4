/** Pages that bots hand in: kept where our own are, readable by any WARC tool, and parsed again without a fetch. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createHtmlKeeper, type HandedInPage, type HtmlKeeper } from '../../src/control/results/keep-html.ts';
import { shareCalls } from '../../src/control/results/share-calls.ts';
import { actOnTask } from '../../src/control/tasks/act-on-task.ts';
import { iterateSegment } from '../../src/engine/store/iterate-segment.ts';
import { readExchange } from '../../src/engine/store/read-exchange.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { parseAll } from '../support/parsers.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { tick } from '../support/scheduling.ts';
import { plantTasks, readHistory, readTask } from '../support/tasks.ts';
import { expectDigestsHold, listSegments, readWithWarcio } from '../unit/archive-fixture.ts';

let database: TestDatabase;
let directory: string;
let keeper: HtmlKeeper;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.execute('delete from domains');
  await database.execute('delete from pages');
  await database.execute('delete from urls');
  directory = await mkdtemp(path.join(os.tmpdir(), 'forager-handed-in-'));
  keeper = createHtmlKeeper({ db: database.db, directory, robots: 'obey' });
  onTestFinished(async () => {
    await keeper.close();
    await rm(directory, { recursive: true, force: true });
  });
});

const HTML = `<!doctype html><meta charset="iso-8859-1"><title>Käse für 3 €</title>
  <p>${'Viel Text. '.repeat(200)}</p><a href="/next">next</a>`;
const page = (changes: Partial<HandedInPage> = {}): HandedInPage => ({
  ...{ url: 'https://shop.example/cheese', html: HTML, httpStatus: 200 },
  crawledAt: new Date('2026-02-03T04:05:06.789Z'),
  ...changes,
});

async function keep(changes: Partial<HandedInPage> = {}) {
  const kept = await keeper.keep(page(changes));
  return inTransaction(database.db, (tx) => kept.place(tx));
}

async function segmentName(id: number): Promise<string> {
  const { rows } = await database.db.query<{ name: string }>('select name from warc_segments where id = $1', [
    id,
  ]);
  return rows[0]?.name ?? '';
}

describe('a page that a bot hands in', () => {
  it('is a WARC response that says who handed it in, and nothing that nobody saw', async () => {
    await keep();
    await keep({ url: 'https://shop.example/wurst', html: `${HTML}<p>more`, httpStatus: null });
    await keep({ url: 'https://shop.example/twin' });
    await keeper.close();
    const [name = ''] = await listSegments(directory);
    const [info, first, second, third] = await readWithWarcio(path.join(directory, name));
    expect(info?.type).toBe('warcinfo');
    expect(first).toMatchObject({ type: 'response', url: 'https://shop.example/cheese', status: 200 });
    expect(first?.warc('WARC-Date')).toBe('2026-02-03T04:05:06.789Z');
    expect(first?.warc('WARC-IP-Address')).toBeNull();
    expect(first?.warc('X-Forager-Origin')).toMatch(
      /^handed in by a bot: the status and the body were told;/,
    );
    expect(first?.http('Content-Type')).toBe('text/html; charset=utf-8');
    const blocks: string[] = [];
    for await (const { block } of iterateSegment(path.join(directory, name))) blocks.push(block.toString());
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n';
    expect(blocks.slice(1)).toEqual([`${head}${HTML}`, `${head}${HTML}<p>more`, head]);
    expect(first?.payload.toString('utf8')).toBe(HTML);
    expect(second?.warc('X-Forager-Origin')).toContain('no status');
    expect(third?.type).toBe('revisit');
    expect(third?.warc('X-Forager-Origin')).toContain('handed in by a bot');
    expectDigestsHold([first, second].flatMap((record) => record ?? []));
  });

  it('is found at the place that is told of it', async () => {
    const place = await keep();
    const segment = await segmentName(place.segmentId);
    const stored = await readExchange(directory, { segment, ...place }, 'https://shop.example/cheese');
    expect(stored.rawBody.toString()).toBe(HTML);
  });

  it('may hold anything that is text', async () => {
    const html = `\ufeff\u0000\ud800<b>\u{1f600}\r\n\r\nHTTP/1.1 500 No\r\n\r\n`;
    const place = await keep({ html, url: 'https://shop.example/odd' });
    await keep({ html: '', url: 'https://shop.example/empty' });
    const segment = await segmentName(place.segmentId);
    const stored = await readExchange(directory, { segment, ...place });
    expect(stored.rawBody.toString()).toBe(html.replace('\ud800', '\ufffd'));
  });

  it('is not of a time that has not come', async () => {
    const place = await keep({ crawledAt: new Date('2999-01-01T00:00:00Z') });
    const segment = await segmentName(place.segmentId);
    const { fetchedAt } = await readExchange(directory, { segment, ...place });
    expect(fetchedAt.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('does not get into the way of others: fifty at once, each in its place', async () => {
    const many = Array.from({ length: 50 }, (_, n) => ({
      ...{ url: `https://shop.example/${n}`, html: randomBytes(3000).toString('hex') },
    }));
    const places = await Promise.all(many.map((each) => keep(each)));
    for (const [n, place] of places.entries()) {
      const segment = await segmentName(place.segmentId);
      const stored = await readExchange(directory, { segment, ...place }, many[n]?.url);
      expect(stored.rawBody.toString()).toBe(many[n]?.html);
    }
    expect(await listSegments(directory)).toHaveLength(1);
  });

  it('is refused once the server stops', async () => {
    await keep();
    await keeper.close();
    await expect(keeper.keep(page())).rejects.toMatchObject({ code: 'archive-unavailable' });
  });

  it('is refused while the archive cannot be written, and kept again after', async () => {
    await rm(directory, { recursive: true });
    await writeFile(directory, 'in the way');
    await expect(keep()).rejects.toMatchObject({ code: 'archive-unavailable' });
    await rm(directory);
    const { segmentId } = await keep();
    expect(await segmentName(segmentId)).not.toBe('');
  });
});

/** As a submission of a bot leaves its task. */
async function plantHandedIn(
  url: string,
  changes: Partial<HandedInPage> = {},
  followDepth = 0,
): Promise<number> {
  const [id = 0] = await plantTasks(database.db, [{ url, status: 'pending', followDepth }]);
  const place = await keep({ url, ...changes });
  await database.execute("update crawl_tasks set executor = 'bot' where id = $1", [id]);
  await database.execute(
    "update crawl_tasks set status = 'locked', locked_by = 'b', lock_version = 1 where id = $1",
    [id],
  );
  await database.execute(
    `update crawl_tasks set status = 'completed', moved_by = 'bot:b', http_status = $5, fetched_at = $6,
            segment_id = $2, segment_offset = $3, segment_length = $4 where id = $1`,
    [id, place.segmentId, place.offset, place.length, changes.httpStatus ?? null, page(changes).crawledAt],
  );
  return id;
}

async function readPages() {
  const { rows } = await database.db.query<Record<string, unknown>>(
    'select url, title, content_type, charset, crawled_at, segment_id is not null as has_body from pages order by url',
  );
  return rows;
}

describe('parsing what a bot has handed in', () => {
  const url = 'https://shop.example/cheese';

  it('writes the page as for a fetch of our own, without a fetch', async () => {
    const id = await plantHandedIn(url);
    const change = await actOnTask(database.db, id, 'restart-parsing', { name: 'test' });
    expect(change).toMatchObject({ changed: true, from: 'completed' });
    await parseAll(database.db, directory);
    expect(await readTask(database.db, id)).toMatchObject({ status: 'completed' });
    expect((await readHistory(database.db, id)).slice(-3)).toEqual(['queued_parse', 'parsing', 'completed']);
    expect(await readPages()).toEqual([
      {
        ...{
          url,
          title: 'Käse für 3 €',
          content_type: 'text/html; charset=utf-8',
          charset: 'utf-8',
          has_body: true,
        },
        crawled_at: page().crawledAt,
      },
    ]);
    // Once more: the same page, still one.
    await actOnTask(database.db, id, 'restart-parsing', { name: 'test' });
    await parseAll(database.db, directory);
    expect(await readPages()).toHaveLength(1);
    await expectNothingToFetch();
  });

  it('leaves a page alone that is known from later', async () => {
    const later = await plantHandedIn(url, {
      html: '<title>newer</title>',
      crawledAt: new Date('2026-03-01T00:00:00Z'),
    });
    const earlier = await plantHandedIn(url, {
      html: '<title>older</title>',
      crawledAt: new Date('2026-02-01T00:00:00Z'),
    });
    for (const id of [later, earlier]) {
      await actOnTask(database.db, id, 'restart-parsing', { name: 'test' });
      await parseAll(database.db, directory);
    }
    expect(await readPages()).toMatchObject([{ title: 'newer' }]);
    expect(await readTask(database.db, earlier)).toMatchObject({
      ...{ status: 'completed', move_reason: 'a newer reading of the page is there already' },
    });
  });

  it('that fails is not made up for by a fetch of ours, neither at once nor later', async () => {
    const id = await plantHandedIn(url);
    await actOnTask(database.db, id, 'restart-parsing', { name: 'test' });
    await rm(directory, { recursive: true });
    await parseAll(database.db, directory);
    expect(await readTask(database.db, id)).toMatchObject({ status: 'failed' });
    await tick(database);
    await expectNothingToFetch();
    // Begun anew it is for bots, as before.
    await actOnTask(database.db, id, 'restart', { name: 'test' });
    await tick(database);
    expect(await readTask(database.db, id)).toMatchObject({ status: 'pending' });
    await expectNothingToFetch();
  });

  it('makes tasks for bots of the pages that it names, where that was asked for', async () => {
    const id = await plantHandedIn(url, {}, 1);
    await actOnTask(database.db, id, 'restart-parsing', { name: 'test' });
    await parseAll(database.db, directory);
    const { rows } = await database.db.query(
      'select url, executor, status, wanted from crawl_tasks where parent_task_id = $1',
      [id],
    );
    expect(rows).toEqual([
      { url: 'https://shop.example/next', executor: 'bot', status: 'pending', wanted: 'price' },
    ]);
    await tick(database);
    await expectNothingToFetch();
  });

  it('is not possible where nothing was kept', async () => {
    const id = await plantHandedIn(url);
    await database.execute('update crawl_tasks set segment_id = null where id = $1', [id]);
    const refused = actOnTask(database.db, id, 'restart-parsing', { name: 'test' });
    await expect(refused).rejects.toMatchObject({ code: 'no-stored-body' });
  });
});

/** No task of ours, and no domain that a worker would take. */
async function expectNothingToFetch(): Promise<void> {
  const { rows } = await database.db.query(
    `select (select count(*) from crawl_tasks where status in ('queued', 'crawling'))::int as tasks,
            (select count(*) from crawl_tasks where executor <> 'bot')::int as ours,
            (select count(*) from domains where task_priority is not null)::int as domains`,
  );
  expect(rows).toEqual([{ tasks: 0, ours: 0, domains: 0 }]);
}

describe('calls that are shared', () => {
  it('each gets one that began after it asked, and as few as can be', async () => {
    let begun = 0;
    const open: (() => void)[] = [];
    const call = shareCalls(() => {
      begun += 1;
      return new Promise((resolve) => open.push(resolve));
    });
    const first = call();
    const [second, third] = [call(), call()];
    expect(begun).toBe(1);
    open.shift()?.();
    await first;
    await new Promise(setImmediate);
    expect(begun).toBe(2);
    const fourth = call();
    open.shift()?.();
    await Promise.all([second, third]);
    await new Promise(setImmediate);
    open.shift()?.();
    await fourth;
    expect(begun).toBe(3);
  });

  it('one that fails is told to those who share it, and the next is tried', async () => {
    let count = 0;
    const call = shareCalls(async () => {
      count += 1;
      if (count === 1) throw new Error('once');
    });
    const [first, second] = [call(), call()];
    await expect(first).rejects.toThrow('once');
    await second;
    await call();
    expect(count).toBe(3);
  });
});
