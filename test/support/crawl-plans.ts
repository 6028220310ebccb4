/** Hostile data for the planner, and what a statement really touched. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import type { TestDatabase } from './postgres.ts';

const engine = path.resolve(import.meta.dirname, '..', '..', 'src', 'engine');

/** The statement as the program runs it. */
export function readStatement(file: string): string {
  return readFileSync(path.join(engine, file), 'utf8');
}

export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

export interface PlanFacts {
  /** Pages of tables and indexes looked at. */
  readonly buffers: number;
  /** Relations read from one end to the other. */
  readonly scanned: readonly string[];
  /** Rows looked at and thrown away. */
  readonly removed: number;
  readonly text: string;
}

export interface ExplainOptions {
  /** Statements run before, in the same transaction: planner settings as the program sets them. */
  readonly first?: string;
  /** Plans for unknown values, as a statement prepared once and run often gets. */
  readonly isGeneric?: boolean;
}

/** Runs the statement once, undoes it, and tells what it touched. */
export async function explain(
  database: TestDatabase,
  statement: string,
  values: readonly unknown[],
  options: ExplainOptions = {},
): Promise<PlanFacts> {
  const client = await database.db.pool.connect();
  try {
    await client.query('begin read write');
    if (options.first !== undefined) await client.query(options.first);
    if (options.isGeneric) await client.query('set local plan_cache_mode = force_generic_plan');
    return readFacts(await runExplain(client, statement, values, options.isGeneric ?? false));
  } finally {
    await client.query('rollback');
    client.release();
  }
}

async function runExplain(
  client: pg.PoolClient,
  statement: string,
  values: readonly unknown[],
  isGeneric: boolean,
): Promise<PlanNode> {
  const explainIt = 'explain (analyze, buffers, format json, timing off)';
  if (isGeneric) await client.query(`prepare planned as ${statement}`);
  const { rows } = isGeneric
    ? await client.query(`${explainIt} execute planned (${values.map(toLiteral).join(', ')})`)
    : await client.query({ text: `${explainIt} ${statement}`, values: [...values] });
  if (isGeneric) await client.query('deallocate planned');
  const plan = (rows[0] as { 'QUERY PLAN': { Plan: PlanNode }[] })['QUERY PLAN'][0]?.Plan;
  if (plan === undefined) throw new Error('no plan came back');
  return plan;
}

function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return `'{${value.map((item) => item ?? 'NULL').join(',')}}'`;
  return `'${String(value).replaceAll("'", "''")}'`;
}

function readFacts(plan: PlanNode): PlanFacts {
  const scanned: string[] = [];
  let removed = 0;
  const visit = (node: PlanNode): void => {
    const isRun = (node['Actual Loops'] ?? 0) > 0;
    if (isRun && node['Node Type'] === 'Seq Scan') scanned.push(node['Relation Name'] ?? '?');
    removed += (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 0);
    for (const child of node.Plans ?? []) visit(child);
  };
  visit(plan);
  const buffers = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  return { buffers, scanned, removed, text: JSON.stringify(plan, undefined, 1) };
}

export interface HostileData {
  readonly runId: number;
  /** Has a hundred thousand URLs, all but a few of them done. */
  readonly largeDomainId: number;
}

/**
 * Many domains, most of them over, and many URLs, most of them done: what a year of crawling leaves. The large
 * domain has `largeUrls` URLs of which 500 are due and 20 wait for a retry.
 */
export async function plantHostileData(
  database: TestDatabase,
  size: { domains: number; urls: number; largeUrls: number },
): Promise<HostileData> {
  const { rows } = await database.execute<{ id: number }>(
    "insert into crawl_runs (crawl_key, settings) values (sha256(random()::text::bytea), '{}') returning id",
  );
  const runId = rows[0]?.id ?? 0;
  await database.execute(
    `insert into domains (domain, parent_domain, base_url, status, next_crawl_after, claimed_by, claim_expires_at,
                          last_crawled_at, priority_score, last_crawl_run_id, run_id)
     select format('d%s.example', n), format('d%s.example', n), format('https://d%s.example', n),
            (case when n % 20 = 0 then 'active' when n % 20 = 1 then 'pending' else 'exhausted' end)::domain_status,
            case when n % 40 = 1 then now() + interval '1 day' when n % 20 > 1 then now() + interval '9 days' end,
            case when n % 40 = 0 then 'somebody' end,
            case when n % 40 = 0 then now() + interval '1 hour' end,
            now() - n * interval '1 s', n % 7, $2::bigint, case when n % 3 = 0 then $2::bigint else 0 end
       from generate_series(1, $1) n`,
    [size.domains, runId],
  );
  await database.execute(
    `insert into crawl_run_domains (run_id, domain_id) select $1, id from domains where id % 2 = 0 or id < 50`,
    [runId],
  );
  await database.execute(
    `insert into urls (domain_id, url_hash, url, depth, priority, state)
     select 1 + n % $2, sha256(n::text::bytea), format('https://d%s.example/page/%s', 1 + n % $2, n), n % 8, 1 + n % 3,
            (case when n % 97 = 0 then 'never_crawled' else 'fetched' end)::url_state
       from generate_series(1, $1) n`,
    [size.urls, size.domains],
  );
  const large = await database.execute<{ id: number }>(
    `insert into domains (domain, parent_domain, base_url, status) values ('large.example', 'large.example', 'https://large.example', 'active')
     returning id`,
  );
  const largeDomainId = large.rows[0]?.id ?? 0;
  await database.execute('insert into crawl_run_domains (run_id, domain_id) values ($1, $2)', [
    runId,
    largeDomainId,
  ]);
  await database.execute(
    `insert into urls (domain_id, url_hash, url, depth, priority, state, retry_at, next_crawl_at, miss_count)
     select $2, sha256(('large' || n)::bytea), format('https://large.example/page/%s', n), n % 8, 1 + n % 3,
            (case when n <= 520 then 'never_crawled' else 'fetched' end)::url_state,
            case when n <= 20 then now() + (n - 10) * interval '1 min' end,
            case when n > 520 then now() + (n - 600) * interval '1 hour' end, (n % 1000 = 0)::int
       from generate_series(1, $1) n`,
    [size.largeUrls, largeDomainId],
  );
  await database.execute(
    `insert into pages (domain_id, url_hash, url, depth, http_status, content_length, transfer_length, crawl_duration_ms)
     select domain_id, url_hash, url, depth, 200, 1000, 1000, 10 from urls
      where domain_id = $1 and state = 'fetched' limit 50000`,
    [largeDomainId],
  );
  return { runId, largeDomainId };
}
