/** Bots, jobs for them, and clients that speak as one. */

import { hashKeyToken, newKeyToken, prefixOfKey } from '../../src/control/access/secrets.ts';
import { canonicalDomain, registrableDomain } from '../../src/engine/frontier/canonical-domain.ts';
import { hashUrlKey, normalizeUrl } from '../../src/engine/frontier/normalize-url.ts';
import type { ApiAnswer, TestServer } from './api.ts';
import type { TestDatabase } from './postgres.ts';

export interface PlantedJob {
  readonly url: string;
  readonly priority?: number;
  readonly maxRetries?: number;
  readonly wanted?: 'price' | 'page' | 'data' | 'any';
  /** From now; 0 if left out. */
  readonly inSeconds?: number;
  readonly policyId?: number;
}

/** Returns their ids, in the given order. */
export async function plantJobs(
  { execute }: Pick<TestDatabase, 'execute'>,
  jobs: readonly (PlantedJob | string)[],
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const given of jobs) {
    const job: PlantedJob = typeof given === 'string' ? { url: given } : given;
    const normal = normalizeUrl(job.url, { stripTrailingSlash: false });
    const domain = canonicalDomain(job.url);
    if (normal.kind === 'bad' || domain === undefined) throw new Error(`${job.url} is no URL`);
    await execute(
      `insert into domains (domain, parent_domain, base_url, source, is_explored)
       values ($1, $2, $3, 'task', false) on conflict (domain) do nothing`,
      [domain, registrableDomain(domain), new URL(normal.url).origin],
    );
    const { rows } = await execute<{ id: number }>(
      `insert into crawl_tasks (domain_id, url, url_hash, priority, max_retries, wanted, scheduled_at, executor, policy_id)
       select id, $2, $3, $4, $5, $6, forager_now() + $7 * interval '1 second', 'bot', $8::bigint
         from domains where domain = $1 returning id`,
      [
        ...[domain, normal.url, hashUrlKey(normal.key), job.priority ?? 5, job.maxRetries ?? 3],
        ...[job.wanted ?? 'price', job.inSeconds ?? 0, job.policyId ?? null],
      ],
    );
    for (const { id } of rows) ids.push(id);
  }
  return ids;
}

export interface BotOptions {
  readonly domains?: readonly string[];
  readonly maxLocks?: number;
  readonly maxJobsPerHour?: number;
}

export interface TestBot {
  readonly botId: string;
  readonly key: string;
  pull(body?: object): Promise<PullAnswer>;
  submit(body: object): Promise<ApiAnswer>;
  extend(body: object): Promise<ApiAnswer>;
}

export interface PulledJob {
  readonly job_id: string;
  readonly task_id: number;
  readonly url: string;
  readonly domain: string;
  readonly lock_token: string;
  readonly locked_until: string;
  readonly retry_count: number;
}

export interface PullAnswer extends ApiAnswer {
  readonly jobs: readonly PulledJob[];
  readonly skipped: number;
  readonly retryAfterSeconds: number | null;
}

let bots = 0;

/** Registered, with a key of its own. */
export async function addTestBot(server: TestServer, options: BotOptions = {}): Promise<TestBot> {
  bots += 1;
  const botId = `bot-${String(bots).padStart(3, '0')}`;
  const { execute } = server.database;
  const { rows } = await execute<{ id: number }>(
    'insert into bots (bot_id, domains, max_locks, max_jobs_per_hour) values ($1, $2, $3, $4) returning id',
    [botId, options.domains ?? null, options.maxLocks ?? 1000, options.maxJobsPerHour ?? null],
  );
  const key = newKeyToken();
  await execute(
    `insert into api_keys (key_hash, prefix, name, role, scopes, created_by, bot_id)
     values ($1, $2, $3, 'bot', '{work}', 'test', $4)`,
    [hashKeyToken(key), prefixOfKey(key), botId, rows[0]?.id],
  );
  const client = server.client({ authorization: `Bearer ${key}` });
  return {
    ...{ botId, key },
    pull: async (body = {}) => {
      const answer = await client.post('/api/crawl/pull', { bot_id: botId, ...body });
      const { data } = answer.body as {
        data?: { jobs: PulledJob[]; skipped: number; retry_after_seconds: number | null };
      };
      return {
        ...answer,
        ...{ jobs: data?.jobs ?? [], skipped: data?.skipped ?? 0 },
        retryAfterSeconds: data?.retry_after_seconds ?? null,
      };
    },
    submit: (body) => client.post('/api/crawl/submit', { bot_id: botId, ...body }),
    extend: (body) => client.post('/api/crawl/extend', { bot_id: botId, ...body }),
  };
}

export function lockOf({ job_id, lock_token }: PulledJob): { job_id: string; lock_token: string } {
  return { job_id, lock_token };
}

export function firstOf(jobs: readonly PulledJob[]): PulledJob {
  const [job] = jobs;
  if (job === undefined) throw new Error('nothing was pulled');
  return job;
}
