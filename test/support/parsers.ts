/** Tasks whose bodies are kept and wait to be parsed, and parsers inside the test's own process. */
import { mkdir } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import { createWorkerId } from '../../src/engine/claim/worker-identity.ts';
import type { CrawlSettings } from '../../src/engine/crawl-settings.ts';
import { EngineEvents } from '../../src/engine/events.ts';
import { FleetWorker } from '../../src/engine/fleet/fleet-worker.ts';
import { scopeOfDomain } from '../../src/engine/frontier/domain-scope.ts';
import { ParseWorker, type ParseWorkerParts } from '../../src/engine/parsing/parse-worker.ts';
import { createWarcStore, type WarcStore } from '../../src/engine/store/warc-store.ts';
import type { Database } from '../../src/platform/database.ts';
import { createTestFetcher } from '../origin/fetch-from.ts';
import { type RecordedEvent, recordEvents, testSettings, waitUntil } from './crawl-support.ts';
import type { TestDatabase } from './postgres.ts';
import { type PlantedTask, plantTasks } from './tasks.ts';

export async function openTestStore(directory: string): Promise<WarcStore> {
  await mkdir(directory, { recursive: true });
  return createWarcStore({
    ...{ directory, software: 'Forager/test', thread: false },
    writerId: `test${Math.random().toString(36).slice(2, 10)}`,
  });
}

export interface KeptPage extends PlantedTask {
  readonly html: string;
  readonly headers?: readonly string[];
  readonly fetchedAt?: Date;
  /** Where redirects have led. */
  readonly finalUrl?: string;
}

/** Tasks that were fetched and left to a parser; returns their ids. Nobody was asked for anything. */
export async function plantKept(
  database: TestDatabase,
  directory: string,
  pages: readonly KeptPage[],
): Promise<readonly number[]> {
  const ids = await plantTasks(database.db, pages);
  const store = await openTestStore(directory);
  const places = await Promise.all(
    pages.map(async (page, index) => {
      const fetchedAt = page.fetchedAt ?? new Date();
      const place = await store.append({
        ...{
          url: page.finalUrl ?? page.url,
          fetchedAt,
          status: 200,
          rawBody: Buffer.from(page.html),
          remoteAddress: undefined,
        },
        headers: ['content-type', 'text/html; charset=utf-8', ...(page.headers ?? [])],
      });
      return { ...place, fetchedAt, id: ids[index], finalUrl: page.finalUrl ?? null };
    }),
  );
  await store.close();
  await database.execute(
    'insert into warc_segments (name) select distinct unnest($1::text[]) on conflict do nothing',
    [places.map(({ segment }) => segment)],
  );
  await database.execute(
    "update crawl_tasks set status = 'crawling', moved_by = 'test' where id = any($1::bigint[])",
    [ids],
  );
  await database.execute(
    `update crawl_tasks t
        set status = 'queued_parse', moved_by = 'test', http_status = 200, response_time_ms = 7,
            fetched_at = v.fetched_at, final_url = v.final_url, segment_id = s.id, segment_offset = v.place, segment_length = v.length
       from unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::bigint[], $5::int[], $6::text[])
            as v (id, fetched_at, segment, place, length, final_url)
       join warc_segments s on s.name = v.segment
      where t.id = v.id`,
    [
      places.map(({ id }) => id),
      places.map(({ fetchedAt }) => fetchedAt),
      places.map(({ segment }) => segment),
      places.map(({ offset }) => offset),
      places.map(({ length }) => length),
      places.map(({ finalUrl }) => finalUrl),
    ],
  );
  await database.execute('update domains set task_priority = null');
  return ids;
}

export interface TestParser {
  readonly parser: ParseWorker;
  readonly workerId: string;
  readonly events: readonly RecordedEvent[];
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export function startParser(
  db: Database,
  warcDirectory: string,
  more: Partial<ParseWorkerParts> = {},
): TestParser {
  const events = new EngineEvents();
  const recorded = recordEvents(events);
  const workerId = more.workerId ?? createWorkerId();
  const parser = new ParseWorker({
    ...{ db, warcDirectory, events, workerId, settings: testSettings },
    scopeOf: (task) => scopeOfDomain(task, { scope: 'host', maxDepth: 10 }),
    ...more,
  });
  const ended = parser.run();
  const stop = (): Promise<void> => {
    parser.stop();
    return ended;
  };
  onTestFinished(stop);
  return { parser, workerId, events: recorded, ended, stop };
}

/** Until there is nothing to parse. */
export async function parseAll(
  db: Database,
  warcDirectory: string,
  more: Partial<ParseWorkerParts> = {},
): Promise<readonly RecordedEvent[]> {
  const { parser, stop, events } = startParser(db, warcDirectory, more);
  await waitUntil(async () => ((await parser.isIdle()) ? true : undefined));
  await stop();
  return events;
}

/** A worker that fetches, keeps, and leaves the parsing of tasks to others, until it has nothing to do. */
export async function crawlOnly(
  db: Database,
  warcDirectory: string,
  settings: Partial<CrawlSettings> = {},
): Promise<void> {
  const fetcher = createTestFetcher({ maxConnectionsPerOrigin: 4 });
  const store = await openTestStore(warcDirectory);
  const fleet = new FleetWorker({
    ...{ db, fetcher, store, untilIdle: true, isInFleet: false, turnPages: 1000 },
    ...{ workerId: createWorkerId(), events: new EngineEvents() },
    settings: { ...testSettings, isClaimedByScore: true, isParsingLeft: true, ...settings },
    scopeOf: (claimed) => scopeOfDomain(claimed, { scope: 'host', maxDepth: 10 }),
  });
  try {
    await fleet.run();
  } finally {
    await fetcher.close();
    await store.close();
  }
}

/** What a person does to have the kept bodies of these tasks parsed again. */
export async function restartParsing(database: TestDatabase, ids: readonly number[]): Promise<void> {
  await database.execute(
    `update crawl_tasks set status = 'queued_parse', moved_by = 'person', retry_count = 0, scheduled_at = forager_now()
      where id = any($1::bigint[])`,
    [ids],
  );
}
