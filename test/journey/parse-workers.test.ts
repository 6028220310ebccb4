/** Parsing apart from fetching: bodies that were kept, parsed by whoever is free, without a word to the site. */
import { readdir, rm, truncate } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeScope } from '../../src/engine/frontier/scope.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage } from '../origin/site.ts';
import { holdLock } from '../support/crawl-crash.ts';
import { buildProgram, startProgram } from '../support/crawl-process.ts';
import { expectConsistent, readDomainRows, readPageRows, readUrlRow } from '../support/crawl-rows.ts';
import { temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import { type FleetPlace, readWorkers, startWorker } from '../support/fleet.ts';
import { seedFleet } from '../support/fleet-run.ts';
import { crawlOnly, parseAll, plantKept, restartParsing, startParser } from '../support/parsers.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { joinTestRabbit, onRabbit, testPrefix } from '../support/rabbitmq.ts';
import { plantTasks, readHistory, readTask, readTasks } from '../support/tasks.ts';

let origin: Origin;
let database: TestDatabase;
let directory: string;
beforeAll(async () => {
  await buildProgram();
  origin = await startOrigin();
});
beforeEach(async () => {
  database = await createTestDatabase();
  directory = path.join(await temporaryDirectory(), 'warc');
  origin.forgetRequests();
  return () => database.drop();
});
afterAll(() => origin.close());

const KEEP = { FORAGER_KEEP_BODIES: 'true', FORAGER_DELAY_MS: '0' };
const ANYWHERE = { scope: 'any', include: [], exclude: [], maxDepth: 10 } as const;
const SITE = 'http://kept.example';
const parse = (): Promise<unknown> => parseAll(database.db, directory);

async function errorsOf(id: number | undefined) {
  const { rows } = await database.db.query<{
    category: string;
    code: string;
    message: string;
    stack: string | null;
    attempt: number;
    url: string;
  }>('select category, code, message, stack, attempt, url from error_logs where task_id = $1 order by id', [
    id,
  ]);
  return rows;
}

async function isOver(ids: readonly number[]): Promise<true | undefined> {
  const tasks = await readTasks(database.db);
  const open = tasks.filter(({ id, status }) => ids.includes(id) && status !== 'completed');
  return open.length === 0 ? true : undefined;
}

describe('workers that share the work', () => {
  const placeHere = async (): Promise<FleetPlace> => ({
    dataDir: await temporaryDirectory(),
    databaseUrl: database.url,
    env: KEEP,
  });

  it('one fetches and keeps, the other parses: every state is in the history, once', async () => {
    const place = await placeHere();
    const paths = Array.from({ length: 30 }, (_, n) => `/p${n}`);
    origin.site('apart', { pages: { '/*': htmlPage('Apart', ['/elsewhere']) } });
    const crawler = startWorker(place, ['--crawl-only', '--id', 'crawler']);
    const parser = startWorker(place, ['--parse-only', '--id', 'parser']);
    const ids = await plantTasks(
      database.db,
      paths.map((each) => origin.hostUrl('apart', each)),
    );
    await waitUntil(() => isOver(ids));
    for (const id of ids) {
      expect(await readHistory(database.db, id)).toEqual([
        ...['queued', 'crawling', 'downloaded', 'queued_parse', 'parsing', 'completed'],
      ]);
    }
    const { rows } = await database.db.query(
      `select distinct actor, to_status::text from task_events where to_status in ('queued_parse', 'completed') order by 1`,
    );
    expect(rows).toEqual([
      { actor: 'crawler', to_status: 'queued_parse' },
      { actor: 'parser', to_status: 'completed' },
    ]);
    expect((await readPageRows(database.db)).map(({ title }) => title)).toEqual(paths.map(() => 'Apart'));
    expect((await readWorkers(database.db)).map(({ id, pages_count: pages }) => ({ id, pages }))).toEqual([
      { id: 'crawler', pages: 0 },
      { id: 'parser', pages: 30 },
    ]);
    crawler.child.kill('SIGTERM');
    parser.child.kill('SIGTERM');
    for (const end of [await crawler.ended, await parser.ended])
      expect(end, end.stderr).toMatchObject({ code: 0 });
    expect((await parser.ended).stdout).toContain('30 tasks parsed');
    await expectConsistent(database.db);
  });

  it('over RabbitMQ: what is left to parsers waits in parse_queue, and a parser takes it from there', async () => {
    const amqp = await joinTestRabbit();
    const prefix = testPrefix();
    const place = await placeHere();
    const env = { AMQP_URL: amqp, FORAGER_AMQP_PREFIX: prefix };
    const messages = async (): Promise<{ waiting: number; parsers: number }> => {
      const { messageCount, consumerCount } = await onRabbit(amqp, (channel) =>
        channel.checkQueue(`${prefix}parse_queue`),
      );
      return { waiting: messageCount, parsers: consumerCount };
    };
    origin.site('queued', { pages: { '/*': htmlPage('Queued') } });
    const ids = await plantTasks(database.db, [
      origin.hostUrl('queued', '/a'),
      origin.hostUrl('queued', '/b'),
    ]);
    const crawler = startWorker(place, ['--crawl-only'], env);
    await waitUntil(async () => {
      const tasks = await readTasks(database.db);
      return tasks.every(({ status }) => status === 'queued_parse') ? true : undefined;
    });
    await waitUntil(async () => ((await messages()).waiting > 0 ? true : undefined));
    expect((await messages()).parsers).toBe(0);
    const parser = startWorker(place, ['--parse-only'], env);
    await waitUntil(() => isOver(ids));
    await waitUntil(async () => {
      const { waiting, parsers } = await messages();
      return waiting === 0 && parsers === 1 ? true : undefined;
    });
    for (const process of [crawler, parser]) {
      process.child.kill('SIGTERM');
      const end = await process.ended;
      expect(end, end.stderr).toMatchObject({ code: 0 });
    }
  });

  it('with a RabbitMQ that is not there they find their work by looking, and say so', async () => {
    const place = await placeHere();
    origin.site('unheard', { pages: { '/*': htmlPage('Unheard') } });
    const ids = await plantTasks(database.db, [origin.hostUrl('unheard', '/a')]);
    const env = { AMQP_URL: 'amqp://127.0.0.1:1' };
    const crawler = startWorker(place, ['--crawl-only'], env);
    const parser = startWorker(place, ['--parse-only'], env);
    await waitUntil(() => isOver(ids));
    for (const process of [crawler, parser]) {
      await waitUntil(() => (process.stderr().includes('RabbitMQ') ? true : undefined));
      process.child.kill('SIGTERM');
      const end = await process.ended;
      expect(end, end.stderr).toMatchObject({ code: 0 });
    }
  });

  it('an ordinary worker parses what somebody wants parsed again, and asks the site for nothing', async () => {
    const place = await placeHere();
    origin.site('again', { pages: { '/a': htmlPage('A'), '/b': htmlPage('B') } });
    const ids = await plantTasks(database.db, [origin.hostUrl('again', '/a'), origin.hostUrl('again', '/b')]);
    const first = await startWorker(place, ['--until-idle']).ended;
    expect(first, first.stderr).toMatchObject({ code: 0 });
    expect(await isOver(ids)).toBe(true);
    expect(origin.requestsTo('again', '/a')).toHaveLength(1);
    origin.forgetRequests();
    await database.execute("update pages set title = 'forgotten'");
    await restartParsing(database, ids);
    const second = await startWorker(place, ['--until-idle']).ended;
    expect(second, second.stderr).toMatchObject({ code: 0 });
    expect(origin.requests).toEqual([]);
    expect(await readHistory(database.db, ids[0])).toEqual([
      ...['queued', 'crawling', 'downloaded', 'parsing', 'completed'],
      ...['downloaded', 'queued_parse', 'parsing', 'completed'],
    ]);
    expect((await readPageRows(database.db)).map(({ title }) => title)).toEqual(['A', 'B']);
    await expectConsistent(database.db);
  });

  it('a parser ends when nothing is left, and says how much that was', async () => {
    const place = await placeHere();
    const urls = ['/1', '/2', '/3'].map((each) => ({ url: SITE + each, html: htmlPage(each) }));
    await plantKept(database, path.join(place.dataDir, 'warc'), urls);
    const end = await startWorker(place, ['--parse-only', '--until-idle', '--json']).ended;
    expect(end, end.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(end.stdout)).toMatchObject({ reason: 'idle', parsed: 3, failed: 0, retried: 0 });
  });

  it('a worker cannot do only the one and only the other, nor leave to parsers what it does not keep', async () => {
    const place = await placeHere();
    const both = await startProgram(['worker', '--parse-only', '--crawl-only'], place).ended;
    expect(both).toMatchObject({ code: 2 });
    expect(both.stderr).toContain('--crawl-only');
    const unkept = await startWorker(place, ['--crawl-only'], { FORAGER_KEEP_BODIES: 'false' }).ended;
    expect(unkept).toMatchObject({ code: 2 });
    expect(unkept.stderr).toContain('FORAGER_KEEP_BODIES');
  });
});

describe('what a parser writes', () => {
  it('is what the worker would have written that fetched it', async () => {
    origin.site('same', {
      pages: { '/a': htmlPage('A', ['/b', '/c']), '/b': htmlPage('B'), '/c': htmlPage('C') },
    });
    await seedFleet(database.db, [origin.hostUrl('same', '/a')]);
    await database.execute('update domains set is_explored = true');
    const [id] = await plantTasks(database.db, [origin.hostUrl('same', '/a')]);
    await crawlOnly(database.db, directory, { maxDepth: 10 });
    expect(await readTask(database.db, id)).toMatchObject({ status: 'queued_parse', http_status: 200 });
    await parse();
    expect(await readTask(database.db, id)).toMatchObject({
      status: 'completed',
      error_message: null,
      locked_by: null,
    });
    const pages = await readPageRows(database.db);
    expect(pages.map(({ title }) => title)).toContain('A');
    expect(pages.every(({ segment }) => segment !== null)).toBe(true);
    expect(await readUrlRow(database.db, '/b')).toBeDefined();
  });

  it('leads on where the domain is explored, and wakes it', async () => {
    const [id] = await plantKept(database, directory, [
      { url: `${SITE}/a`, html: htmlPage('A', ['/b', '/c', 'http://other.example/']) },
    ]);
    await database.execute("update domains set status = 'active', status_code = 'claimed'");
    await database.execute(
      `update domains set is_explored = true, status = 'exhausted', status_code = 'all_done',
                          next_crawl_after = forager_now() + interval '1 day'`,
    );
    await parseAll(database.db, directory, {
      scopeOf: ({ domain }) => makeScope({ ...ANYWHERE, seeds: [domain] }),
    });
    expect(await readTask(database.db, id)).toMatchObject({ status: 'completed' });
    const domains = await readDomainRows(database.db);
    expect(domains).toMatchObject([
      { domain: 'kept.example', status: 'pending', pages_crawled: 1, pages_discovered: 3, is_resting: false },
      { domain: 'other.example', pages_discovered: 1 },
    ]);
    expect(await readUrlRow(database.db, '/a')).toMatchObject({ state: 'fetched', last_outcome: 'page' });
    expect(await readUrlRow(database.db, '/b')).toMatchObject({ state: 'never_crawled' });
  });

  it('follows no link of a domain that is there for its tasks only, but makes tasks of the pages it names', async () => {
    const [id] = await plantKept(database, directory, [
      { url: `${SITE}/list`, html: htmlPage('List', ['/x', '/y', '/z']), followDepth: 1, followLimit: 2 },
    ]);
    await parse();
    const children = (await readTasks(database.db)).filter((task) => task.parent_task_id === id);
    expect(children.map(({ url, status }) => `${url} ${status}`)).toEqual([
      `${SITE}/x pending`,
      `${SITE}/y pending`,
    ]);
    const { rows } = await database.db.query('select url from urls');
    expect(rows).toEqual([{ url: `${SITE}/list` }]);
  });

  it('forgets where the body is when the page may not be kept', async () => {
    const noarchive = '<!doctype html><meta name="robots" content="noarchive"><title>Private</title>';
    const [id] = await plantKept(database, directory, [{ url: `${SITE}/private`, html: noarchive }]);
    await parse();
    expect(await readTask(database.db, id)).toMatchObject({ status: 'completed', segment_id: null });
    expect(await readPageRows(database.db)).toMatchObject([{ title: 'Private', segment: null }]);
  });

  it('never takes the place of a newer reading', async () => {
    const [id] = await plantKept(database, directory, [
      { url: `${SITE}/a`, html: htmlPage('Old'), fetchedAt: new Date('2026-01-01T00:00:00Z') },
    ]);
    await parse();
    await database.execute(`update pages set title = 'New', segment_id = null, crawled_at = '2026-02-01'; `);
    await restartParsing(database, [id ?? 0]);
    await parse();
    expect(await readPageRows(database.db)).toMatchObject([{ title: 'New' }]);
    expect(await readTask(database.db, id)).toMatchObject({
      ...{ status: 'completed', move_reason: 'a newer reading of the page is there already' },
    });
  });

  it('is no visit when the same body is parsed again: what it says is new, when it was read is not', async () => {
    const [id] = await plantKept(database, directory, [{ url: `${SITE}/a`, html: htmlPage('A') }]);
    await parse();
    const facts = async () => {
      const { rows } = await database.db.query(
        `select u.visits_count, u.changes_count, u.refresh_seconds, u.next_crawl_at, u.last_crawled_at, u.content_hash,
                p.crawled_at, p.changed_at, d.pages_crawled
           from urls u join pages p using (domain_id, url_hash) join domains d on d.id = u.domain_id`,
      );
      return rows[0];
    };
    const before = await facts();
    await database.execute(
      "update pages set title = 'wrong', content_hash = '\\x00', missing_since = '2026-01-01'; ",
    );
    await restartParsing(database, [id ?? 0]);
    await parse();
    expect(await facts()).toEqual(before);
    expect(await readPageRows(database.db)).toMatchObject([{ title: 'A' }]);
    const { rows } = await database.db.query('select missing_since is not null as is_missing from pages');
    expect(rows).toEqual([{ is_missing: true }]);
  });

  it('is of two orders that led to one page the later one', async () => {
    const ids = await plantKept(database, directory, [
      { url: `${SITE}/a`, html: htmlPage('Later'), fetchedAt: new Date('2026-03-02') },
      {
        url: `${SITE}/b`,
        finalUrl: `${SITE}/a`,
        html: htmlPage('Earlier'),
        fetchedAt: new Date('2026-03-01'),
      },
    ]);
    await parse();
    expect(await isOver(ids)).toBe(true);
    expect((await readPageRows(database.db)).map(({ url, title }) => ({ url, title }))).toEqual([
      { url: `${SITE}/a`, title: 'Later' },
    ]);
  });
});

describe('what goes wrong', () => {
  it('a body that is gone fails its task and says what to do', async () => {
    const [id] = await plantKept(database, directory, [{ url: `${SITE}/a`, html: htmlPage('A') }]);
    for (const name of await readdir(directory)) await rm(path.join(directory, name));
    await parse();
    const task = await readTask(database.db, id);
    expect(task).toMatchObject({ status: 'failed', retry_count: 0 });
    expect(task.error_message).toMatch(
      /^the stored body .* is not there; restart the task to fetch it again$/,
    );
    expect(await errorsOf(id)).toMatchObject([
      { category: 'parse', code: 'missing-body', message: task.error_message, attempt: 1 },
    ]);
    const { rows } = await database.db.query('select queue, task_id from dead_letters');
    expect(rows).toEqual([{ queue: 'parse_queue', task_id: id }]);
  });

  it('so does one that is cut off or damaged, and the others of its lot are parsed', async () => {
    const ids = await plantKept(database, directory, [
      { url: `${SITE}/whole`, html: htmlPage('Whole') },
      { url: `${SITE}/cut`, html: htmlPage('Cut') },
    ]);
    const [segment = ''] = await readdir(directory);
    const { rows } = await database.db.query<{ place: number }>(
      'select segment_offset as place from crawl_tasks where id = $1',
      [ids[1]],
    );
    await truncate(path.join(directory, segment), (rows[0]?.place ?? 0) + 10);
    await parse();
    expect((await readTasks(database.db)).map(({ status }) => status)).toEqual(['completed', 'failed']);
    expect((await readTask(database.db, ids[1])).error_message).toContain('is not there');
  });

  it('so does one that belongs to another URL', async () => {
    const ids = await plantKept(database, directory, [
      { url: `${SITE}/a`, html: htmlPage('A') },
      { url: `${SITE}/b`, html: htmlPage('B') },
    ]);
    await database.execute(
      `update crawl_tasks t set segment_offset = o.segment_offset, segment_length = o.segment_length
         from crawl_tasks o where t.id = $1 and o.id = $2`,
      ids,
    );
    await parse();
    expect((await readTasks(database.db)).map(({ status }) => status)).toEqual(['failed', 'completed']);
    expect((await readTask(database.db, ids[0])).error_message).toContain(`is that of ${SITE}/b`);
  });

  it('a parser that stumbles over a page tries it again after 1, 2, 4 minutes, and gives up in the end', async () => {
    const [id] = await plantKept(database, directory, [
      { url: `${SITE}/a`, html: htmlPage('A'), maxRetries: 2 },
      { url: 'http://fine.example/', html: htmlPage('Fine') },
    ]);
    const stumble = () =>
      parseAll(database.db, directory, {
        scopeOf: ({ domain }) => {
          if (domain === 'kept.example') throw new TypeError('it is not what it seems');
          return makeScope({ ...ANYWHERE, seeds: [domain] });
        },
      });
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await stumble();
      const task = await readTask(database.db, id);
      expect(task.retry_count).toBe(Math.min(attempt, 2));
      if (attempt < 3) {
        expect(task).toMatchObject({ status: 'queued_parse', locked_by: null });
        waits.push(Math.round(task.wait_seconds / 60));
      }
      await database.execute(
        "update crawl_tasks set scheduled_at = forager_now() where status = 'queued_parse'",
      );
    }
    expect(waits).toEqual([1, 2]);
    expect(await readTask(database.db, id)).toMatchObject({
      ...{ status: 'failed', error_message: 'it is not what it seems' },
      move_reason: 'it is not what it seems; 3 attempts made',
    });
    const errors = await errorsOf(id);
    expect(errors.map(({ category, code, attempt }) => ({ category, code, attempt }))).toEqual(
      [1, 2, 3].map((attempt) => ({ category: 'parse', code: 'TypeError', attempt })),
    );
    expect(errors[0]?.stack).toContain('TypeError: it is not what it seems');
    expect((await readPageRows(database.db)).map(({ title }) => title)).toEqual(['Fine']);
  });

  it('one page that cannot be written does not hold up the others', async () => {
    const ids = await plantKept(
      database,
      directory,
      ['good', 'bad', 'better'].map((name) => ({ url: `${SITE}/${name}`, html: htmlPage(name) })),
    );
    await database.execute("alter table pages add constraint nothing_bad check (title <> 'bad')");
    await parse();
    expect((await readTasks(database.db)).map(({ status }) => status)).toEqual([
      ...['completed', 'queued_parse', 'completed'],
    ]);
    expect(await errorsOf(ids[1])).toMatchObject([{ category: 'parse', code: '23514', attempt: 1 }]);
    await database.execute('alter table pages drop constraint nothing_bad');
  });

  it('a parser that is stopped in the middle of its lot gives back what it has not begun', async () => {
    const pages = Array.from({ length: 12 }, (_, n) => ({
      url: `${SITE}/many/${n}`,
      // So many links are written down before more is read.
      html: htmlPage(
        `Many ${n}`,
        Array.from({ length: 1000 }, (_, link) => `/many/${n}/link-${link}`),
      ),
    }));
    await plantKept(database, directory, pages);
    await database.execute('update domains set is_explored = true');
    const release = await holdLock(database.db, 'select from domains for update');
    const { parser, stop } = startParser(database.db, directory);
    await waitUntil(async () => {
      const { rows } = await database.db.query(
        `select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%order by d.id for update%'`,
      );
      return rows.length > 0 ? true : undefined;
    });
    expect(parser.tasksInHand).toBe(12);
    const stopped = stop();
    await release();
    await stopped;
    const tasks = await readTasks(database.db);
    const done = tasks.filter(({ status }) => status === 'completed').length;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(12);
    expect(tasks.slice(done).map((task) => `${task.status}: ${task.move_reason}, ${task.locked_by}`)).toEqual(
      tasks.slice(done).map(() => 'queued_parse: given back, null'),
    );
    expect(await readPageRows(database.db)).toHaveLength(done);
  });

  it('paused or cancelled while it is parsed, nothing is written for it', async () => {
    const ids = await plantKept(
      database,
      directory,
      ['cancelled', 'paused', 'kept'].map((name) => ({ url: `${SITE}/${name}`, html: htmlPage(name) })),
    );
    // It gets as far as its commit, which waits for the domain.
    const release = await holdLock(database.db, 'select from domains for update');
    const { stop } = startParser(database.db, directory);
    await waitUntil(async () => {
      const statuses = (await readTasks(database.db)).map(({ status }) => status);
      return statuses.every((status) => status === 'parsing') ? true : undefined;
    });
    await database.execute("update crawl_tasks set status = 'cancelled', moved_by = 'person' where id = $1", [
      ids[0],
    ]);
    await database.execute("update crawl_tasks set status = 'paused', moved_by = 'person' where id = $1", [
      ids[1],
    ]);
    await release();
    await waitUntil(() => isOver([ids[2] ?? 0]));
    await stop();
    expect((await readTasks(database.db)).map(({ status }) => status)).toEqual([
      ...['cancelled', 'paused', 'completed'],
    ]);
    expect((await readPageRows(database.db)).map(({ title }) => title)).toEqual(['kept']);
  });
});
