/** Rows for backfills to put in order, made through SQL: imports and older rules left such, the engine never does. */
import { hashUrlKey, normalizeUrl } from '../../src/engine/frontier/normalize-url.ts';
import type { TestDatabase } from './postgres.ts';

export async function addDomain(
  database: TestDatabase,
  domain: string,
  columns: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const row: Record<string, unknown> = {
    domain,
    parent_domain: domain,
    base_url: `https://${domain}`,
    first_seen_at: '2026-01-01T00:00:00Z',
    ...columns,
  };
  const names = Object.keys(row);
  const { rows } = await database.execute<{ id: number }>(
    `insert into domains (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')}) returning id`,
    Object.values(row),
  );
  const [made] = rows;
  if (made === undefined) throw new Error(`no row for ${domain}`);
  return made.id;
}

export interface UrlSketch {
  readonly state?: string;
  readonly depth?: number;
  readonly at?: string;
  readonly isSeed?: boolean;
  readonly discoveredAt?: string;
}

export function hashOf(url: string): Buffer {
  const normal = normalizeUrl(url);
  if (normal.kind === 'bad') throw new Error(normal.reason);
  return hashUrlKey(normal.key);
}

export async function addUrl(
  database: TestDatabase,
  domainId: number,
  url: string,
  sketch: UrlSketch = {},
): Promise<void> {
  await database.execute(
    `insert into urls (domain_id, url_hash, url, depth, priority, state, last_crawled_at, is_seed, discovered_at)
     values ($1, $2, $3, $4, 2, $5, $6, $7, $8)`,
    [
      domainId,
      hashOf(url),
      url,
      sketch.depth ?? 1,
      sketch.state ?? 'fetched',
      sketch.state === 'never_crawled' ? null : (sketch.at ?? '2026-02-01T00:00:00Z'),
      sketch.isSeed ?? false,
      sketch.discoveredAt ?? '2026-01-01T00:00:00Z',
    ],
  );
}

export async function addPage(
  database: TestDatabase,
  domainId: number,
  url: string,
  sketch: {
    readonly title?: string;
    readonly at?: string;
    readonly images?: number;
    readonly depth?: number;
  } = {},
): Promise<void> {
  await database.execute(
    `insert into pages (domain_id, url_hash, url, depth, http_status, content_length, transfer_length, title,
                        images_count, crawl_duration_ms, first_crawled_at, crawled_at)
     values ($1, $2, $3, $4, 200, 100, 100, $5, $6, 5, $7, $7)`,
    [
      domainId,
      hashOf(url),
      url,
      sketch.depth ?? 1,
      sketch.title ?? null,
      sketch.images ?? 0,
      sketch.at ?? '2026-02-01T00:00:00Z',
    ],
  );
}

export async function addFetch(
  database: TestDatabase,
  domainId: number,
  url: string,
  sketch: {
    readonly status?: number | null;
    readonly outcome?: string;
    readonly at?: string;
    readonly runId?: number;
  } = {},
): Promise<void> {
  const status = sketch.status === undefined ? 200 : sketch.status;
  await database.execute(
    `insert into crawl_log (domain_id, url_hash, url, fetched_at, outcome, http_status, duration_ms, worker_id, run_id,
                            bytes_count)
     values ($1, $2, $3, $4, $5, $6, 5, 'w', $7, 10)`,
    [
      domainId,
      hashOf(url),
      url,
      sketch.at ?? '2026-02-01T00:00:00Z',
      sketch.outcome ?? outcomeOf(status),
      status,
      sketch.runId ?? null,
    ],
  );
}

function outcomeOf(status: number | null): string {
  if (status === null) return 'unreachable';
  if (status < 400) return 'page';
  if (status === 429) return 'throttled';
  if (status >= 500) return 'server-error';
  return status === 404 ? 'gone' : 'refused';
}

const TABLES = [
  'domains',
  'urls',
  'pages',
  'crawl_log',
  'domain_robots',
  'domain_sitemaps',
  'url_templates',
  'crawl_run_domains',
  'domain_events',
  'domain_proxies',
  'proxy_usage',
  'bot_queues',
  'crawl_results',
  'products',
  'price_points',
  'product_events',
  'parse_hours',
  'image_urls',
  'image_provenance',
];

/** Everything there is, to be compared with later. */
export async function readEverything(database: TestDatabase): Promise<Record<string, string[]>> {
  const contents: Record<string, string[]> = {};
  for (const table of TABLES) {
    const { rows } = await database.db.query<{ row: string }>(
      `select to_jsonb(t)::text as row from ${table} t order by 1`,
    );
    contents[table] = rows.map(({ row }) => row);
  }
  return contents;
}
