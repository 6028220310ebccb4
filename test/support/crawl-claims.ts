/** Domains to be claimed and workers to claim them, without a crawl around. */
import { claimDomains } from '../../src/engine/claim/claim-domains.ts';
import { hashUrlKey } from '../../src/engine/frontier/normalize-url.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import type { Candidate, DueUrl, Lease, PageRecord, Visit } from '../../src/engine/visit.ts';
import type { Database } from '../../src/platform/database.ts';
import type { TestDatabase } from './postgres.ts';

/** A run with this many pending domains, each with one due URL. */
export async function plantDomains(database: TestDatabase, count: number): Promise<number> {
  const { rows } = await database.execute<{ id: number }>(
    "insert into crawl_runs (crawl_key, settings) values (sha256(random()::text::bytea), '{}') returning id",
  );
  const runId = rows[0]?.id ?? 0;
  await database.execute(
    `with added as (
       insert into domains (domain, parent_domain, base_url, pages_discovered, run_id)
       select format('d%s.example', n), format('d%s.example', n), format('https://d%s.example', n), 1, $1
         from generate_series(1, $2) n returning id, domain
     ), joined as (
       insert into crawl_run_domains (run_id, domain_id) select $1, id from added
     )
     insert into urls (domain_id, url_hash, url, depth, priority)
     select id, sha256(domain::bytea), format('https://%s/', domain), 0, 3 from added`,
    [runId, count],
  );
  return runId;
}

export interface ClaimOptions {
  readonly limit?: number;
  readonly leaseMs?: number;
}

export async function claimAs(
  db: Database,
  runId: number,
  workerId: string,
  options: ClaimOptions = {},
): Promise<Lease[]> {
  const { limit = 1, leaseMs = 60_000 } = options;
  const claimed = await claimDomains(db, {
    ...{ runId, workerId, leaseMs, limit, excluded: [], order: 'score', isFair: true },
    ...{ maxPagesPerDomain: undefined, turnPages: undefined },
  });
  return claimed.map((row) => ({
    domainId: row.id,
    domain: row.domain,
    parentDomain: row.parent_domain,
    version: row.version,
  }));
}

const page: PageRecord = {
  contentType: 'text/html',
  charset: 'utf-8',
  contentLength: 10,
  transferLength: 10,
  contentHash: Buffer.alloc(32),
  simhash: 0n,
  title: 'Title',
  description: undefined,
  canonicalUrl: undefined,
  language: undefined,
  textLength: 5,
  linksCount: 1,
  imagesCount: 0,
  isNoindex: false,
  isNofollow: false,
  body: undefined,
};
const pageOutcome: Outcome = { kind: 'page', httpStatus: 200, message: undefined, holdMs: undefined };

/** A visit of the one URL `plantDomains` gave the domain, which found a page. */
export function visitOf(lease: Lease, hash: Buffer): Visit {
  const due: DueUrl = {
    ...{ hash, id: hash.toString('latin1'), url: `https://${lease.domain}/`, depth: 0, priority: 3 },
    ...{ isSeed: false, redirectCount: 0, errorCount: 0, etag: undefined, lastModified: undefined },
    known: undefined,
  };
  return {
    ...{ lease, due, outcome: pageOutcome, fetchedAt: new Date(), durationMs: 5, bytes: 10, page },
    etag: undefined,
    lastModified: undefined,
    isDomainHealthy: true,
  };
}

export function candidateOf(url: string): Candidate {
  const facts = { depth: 1, priority: 2, isSeed: false, redirectCount: 0, template: undefined };
  return { hash: hashUrlKey(url), url, ...facts };
}
