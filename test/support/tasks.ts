/** Tasks put into the database by hand, ready for a worker, and what became of them. */
import { canonicalDomain, registrableDomain } from '../../src/engine/frontier/canonical-domain.ts';
import { hashUrlKey, normalizeUrl } from '../../src/engine/frontier/normalize-url.ts';
import type { Database, Queryable } from '../../src/platform/database.ts';
import { inTransaction } from '../../src/platform/transaction.ts';

export interface PlantedTask {
  readonly url: string;
  readonly priority?: number;
  readonly maxRetries?: number;
  readonly followDepth?: number;
  readonly followLimit?: number;
  readonly status?: 'pending' | 'queued';
}

/** Returns their ids, in the given order. Their domains are there for their tasks only, unless they were known. */
export async function plantTasks(
  db: Database,
  tasks: readonly (PlantedTask | string)[],
): Promise<readonly number[]> {
  const ids: number[] = [];
  await inTransaction(db, async (tx) => {
    for (const given of tasks) {
      const task: PlantedTask = typeof given === 'string' ? { url: given } : given;
      const normal = normalizeUrl(task.url, { stripTrailingSlash: false });
      const domain = canonicalDomain(task.url);
      if (normal.kind === 'bad' || domain === undefined) throw new Error(`${task.url} is no URL`);
      await tx.query(
        `insert into domains (domain, parent_domain, base_url, source, is_explored)
         values ($1, $2, $3, 'task', false) on conflict (domain) do nothing`,
        [domain, registrableDomain(domain), new URL(normal.url).origin],
      );
      const { rows } = await tx.query<{ id: number }>(
        `insert into crawl_tasks (domain_id, url, url_hash, status, priority, max_retries, follow_depth, follow_limit,
                                  scheduled_at)
         select id, $2, $3, $4::task_status, $5, $6, $7, $8, forager_now() from domains where domain = $1 returning id`,
        [
          ...[domain, normal.url, hashUrlKey(normal.key), task.status ?? 'queued', task.priority ?? 5],
          ...[task.maxRetries ?? 3, task.followDepth ?? 0, task.followLimit ?? 100],
        ],
      );
      for (const { id } of rows) ids.push(id);
    }
    await readyDomains(tx);
  });
  return ids;
}

/** What the scheduler does for tasks that are queued already: their domains say so, and can be claimed. */
async function readyDomains(tx: Pick<Queryable, 'query'>): Promise<void> {
  await tx.query(
    `update domains d
        set task_priority = t.priority,
            status = case when d.status = 'exhausted' then 'pending' else d.status end,
            status_code = case when d.status = 'exhausted' then 'task_due' else d.status_code end,
            next_crawl_after = case when d.status = 'exhausted' then null else d.next_crawl_after end
       from (select domain_id, min(priority) as priority from crawl_tasks where status = 'queued' group by 1) as t
      where d.id = t.domain_id`,
    [],
  );
}

/** Tasks waiting for a retry are due now. */
export async function queuePending(db: Database): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.query(
      "update crawl_tasks set status = 'queued', moved_by = 'test' where status = 'pending' and not is_waiting",
      [],
    );
    await tx.query('update domains set next_crawl_after = null where next_crawl_after is not null', []);
    await readyDomains(tx);
  });
}

export interface TaskRow {
  readonly id: number;
  readonly url: string;
  readonly status: string;
  readonly retry_count: number;
  readonly error_message: string | null;
  readonly http_status: number | null;
  readonly final_url: string | null;
  readonly move_reason: string | null;
  readonly segment_id: number | null;
  readonly parent_task_id: number | null;
  readonly locked_by: string | null;
  readonly wait_seconds: number;
}

export async function readTasks(db: Queryable): Promise<TaskRow[]> {
  const { rows } = await db.query<TaskRow>(
    `select id, url, status, retry_count, error_message, http_status, final_url, move_reason, segment_id,
            parent_task_id, locked_by, extract(epoch from scheduled_at - forager_now())::float8 as wait_seconds
       from crawl_tasks order by id`,
    [],
  );
  return rows;
}

export async function readTask(db: Queryable, id: number | undefined): Promise<TaskRow> {
  const task = (await readTasks(db)).find((row) => row.id === id);
  if (task === undefined) throw new Error(`there is no task ${id}`);
  return task;
}

/** The states it has been in, in order, the first one included. */
export async function readHistory(db: Queryable, id: number | undefined): Promise<string[]> {
  const { rows } = await db.query<{ to_status: string }>(
    'select to_status from task_events where task_id = $1 order by id',
    [id],
  );
  return rows.map((row) => row.to_status);
}
