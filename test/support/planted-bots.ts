/** Bots that are registered, with their keys, and jobs for them, put into the database by hand. */
import { hashKeyToken, newKeyToken, prefixOfKey } from '../../src/control/access/secrets.ts';
import type { TestDatabase } from './postgres.ts';
import { plantTasks } from './tasks.ts';

export interface RegisteredBot {
  readonly botId: string;
  readonly key: string;
}

export async function registerBot({ execute }: TestDatabase, botId: string): Promise<RegisteredBot> {
  const key = newKeyToken();
  await execute(
    `with bot as (insert into bots (bot_id, max_locks) values ($1, 10000) returning id)
     insert into api_keys (key_hash, prefix, name, role, scopes, created_by, bot_id)
     select $2, $3, $1, 'bot', '{work}', 'test', id from bot`,
    [botId, hashKeyToken(key), prefixOfKey(key)],
  );
  return { botId, key };
}

export interface JobLot {
  readonly count: number;
  readonly domains: number;
  /** Every so many is one that never works, with one retry. */
  readonly brokenEvery: number;
}

/** Jobs of domains `shop-0.example` and so on. Those that work may be tried as often as can be. */
export async function plantJobLot(
  { execute }: TestDatabase,
  { count, domains, brokenEvery }: JobLot,
): Promise<void> {
  await execute(
    `insert into domains (domain, parent_domain, base_url, source, is_explored)
     select 'shop-' || n || '.example', 'shop-' || n || '.example', 'https://shop-' || n || '.example', 'task', false
       from generate_series(0, $1::int - 1) as n`,
    [domains],
  );
  await execute(
    `insert into crawl_tasks (domain_id, url, url_hash, priority, max_retries, executor, scheduled_at)
     select d.id, u.url, sha256(convert_to(u.url, 'UTF8')), 1 + n % 10,
            case when n % $3 = 0 then 1 else 20 end, 'bot', forager_now()
       from generate_series(0, $1::int - 1) as n
       join domains d on d.domain = 'shop-' || n % $2 || '.example'
      cross join lateral (select d.base_url || case when n % $3 = 0 then '/broken/' else '/' end || n as url) as u`,
    [count, domains, brokenEvery],
  );
}

/** One job for each of these pages; their domains are made known. */
export async function plantBotJobs(
  database: TestDatabase,
  jobs: readonly { readonly url: string; readonly maxRetries?: number }[],
): Promise<readonly number[]> {
  const ids = await plantTasks(
    database.db,
    jobs.map(({ url, maxRetries }) => ({
      ...{ url, status: 'pending' },
      ...(maxRetries === undefined ? {} : { maxRetries }),
    })),
  );
  await database.execute(
    "update crawl_tasks set executor = 'bot', moved_by = 'test' where id = any($1::bigint[])",
    [ids],
  );
  return ids;
}
