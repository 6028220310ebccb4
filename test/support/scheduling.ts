/** Domains, tasks and policies planted for the scheduler, its ticks, and what became of them. */
import { createHash } from 'node:crypto';
import type { WorkHint } from '../../src/distribution/distribution.ts';
import { STANDING_RUN } from '../../src/engine/run/standing-run.ts';
import { Upkeep } from '../../src/engine/upkeep/upkeep.ts';
import type { SchedulerSettings } from '../../src/scheduler/ground.ts';
import { Ticker, type TickReport } from '../../src/scheduler/ticker.ts';
import type { TestDatabase } from './postgres.ts';

export const schedulerSettings: SchedulerSettings = {
  isDomainTracked: false,
  refresh: { isOn: false, firstSeconds: 1, floorSeconds: 1, ceilingSeconds: 1, goneAfterMisses: 3 },
  errorLogDays: 30,
  webhookLogDays: 30,
  productEventDays: 90,
};

/** One tick in which every step has its turn; what failed in it is thrown. */
export async function tick(database: TestDatabase, hints: WorkHint[] = []): Promise<TickReport> {
  const { db } = database;
  const upkeep = new Upkeep({ db, runId: STANDING_RUN, settings: schedulerSettings });
  const distribution = {
    announce: async (given: readonly WorkHint[]) => {
      hints.push(...given);
      return given.length;
    },
  };
  const failures: unknown[] = [];
  const ground = { db, distribution, settings: schedulerSettings, upkeep };
  const report = await new Ticker(ground, (_step, error) => failures.push(error)).tick();
  if (failures.length > 0) throw failures[0];
  return report;
}

export async function plantDomain(
  { execute }: TestDatabase,
  name: string,
  columns: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const all = { domain: name, parent_domain: name, base_url: `https://${name}`, ...columns };
  return insert(execute, 'domains', all);
}

let pages = 0;

export async function plantTask(
  { execute }: TestDatabase,
  domainId: number,
  columns: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  pages += 1;
  const url = `https://planted.example/${pages}`;
  return insert(execute, 'crawl_tasks', { domain_id: domainId, url, url_hash: hashOf(url), ...columns });
}

export async function plantPolicy(
  { execute }: TestDatabase,
  domainId: number,
  columns: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  pages += 1;
  const url = `https://planted.example/${pages}`;
  const all = { domain_id: domainId, url, url_hash: hashOf(url), frequency_hours: 24, ...columns };
  return insert(execute, 'crawl_policies', all);
}

export function hashOf(url: string): Buffer {
  return createHash('sha256').update(url).digest();
}

async function insert(
  execute: TestDatabase['execute'],
  table: string,
  columns: Readonly<Record<string, unknown>>,
): Promise<number> {
  const names = Object.keys(columns);
  const { rows } = await execute<{ id: number }>(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, n) => `$${n + 1}`).join(', ')}) returning id`,
    Object.values(columns),
  );
  return rows[0]?.id ?? 0;
}

/** Moves a task through states, as whoever works on it would. */
export async function moveTask(
  { execute }: TestDatabase,
  id: number,
  ...states: readonly string[]
): Promise<void> {
  for (const status of states) {
    await execute("update crawl_tasks set status = $2::task_status, moved_by = 'test' where id = $1", [
      id,
      status,
    ]);
  }
}

export async function readRow<R extends object>(
  { db }: TestDatabase,
  table: 'crawl_tasks' | 'crawl_policies' | 'domains' | 'schedulers',
  id: number,
): Promise<R> {
  const { rows } = await db.query<R>(`select * from ${table} where id = $1`, [id]);
  const [row] = rows;
  if (row === undefined) throw new Error(`no row ${id} in ${table}`);
  return row;
}

/** The history of a task: `pending>queued by scheduler`. */
export async function readHistory({ db }: TestDatabase, id: number): Promise<string[]> {
  const { rows } = await db.query<{ told: string }>(
    `select coalesce(from_status::text, '') || '>' || to_status || ' by ' || actor as told
       from task_events where task_id = $1 order by id`,
    [id],
  );
  return rows.map(({ told }) => told);
}
