/**
 * Batches as a worker commits them, on the small database and on the large one in turns: as many visits and
 * as many found URLs as one batch may hold, nine of ten of them known. Without bodies: what is measured is
 * the database, and the disk it must reach before a commit is one.
 */
import { createHash } from 'node:crypto';
import { inTurns, withDatabases } from './claim.mjs';
import { Batch, commitBatch, LEASE_MS, MAX_RETRIES, REFRESH, STANDING_RUN } from './engine.mjs';
import { COMMITTER } from './population.mjs';
import { median, percentile } from './statistics.mjs';

export const BATCH_PAGES = 250;
const KNOWN_LINKS = 4500;
const NEW_LINKS = 500;
const LINKS_ON_PAGE = 40;
const WARM_UP_BATCHES = 2;

export async function benchCommit(dataDir, sizes, options, say) {
  say(`commit: ${options.commitBatches} batches of ${BATCH_PAGES} pages on each size, in turns`);
  return withDatabases(dataDir, sizes, async (databases) => {
    const timings = [];
    for (let number = -WARM_UP_BATCHES; number < options.commitBatches; number += 1) {
      for (const database of inTurns(databases, number)) {
        const ms = await commitOnce(database, number);
        if (number >= 0) timings.push({ name: database.name, ms });
      }
    }
    const [small, large] = sizes.map(({ name }) => describe(timings, name));
    return {
      batchPages: BATCH_PAGES,
      foundUrls: KNOWN_LINKS + NEW_LINKS,
      small,
      large,
      ratio: large.medianMs / small.medianMs,
    };
  });
}

async function commitOnce({ name, db, client }, number) {
  const batch = await fillBatch(client, number);
  const context = {
    db,
    runId: STANDING_RUN,
    workerId: COMMITTER,
    leaseMs: LEASE_MS,
    maxRetries: MAX_RETRIES,
    refresh: REFRESH,
    store: undefined,
    activeMs: 100,
  };
  const startedAt = performance.now();
  const { lost, addedCount } = await commitBatch(batch, context);
  const ms = performance.now() - startedAt;
  if (lost.size > 0 || addedCount !== NEW_LINKS) {
    throw new Error(`${name}: ${lost.size} leases lost, ${addedCount} of ${NEW_LINKS} new URLs added`);
  }
  return ms;
}

async function fillBatch(client, number) {
  const leases = await readLeases(client);
  const due = await client.query(
    `select domain_id::int, url_hash, url, depth, priority from urls
      where domain_id = any($1) and state = 'never_crawled' and retry_at is null
      order by domain_id, priority desc, depth, discovered_at`,
    [[...leases.keys()]],
  );
  const known = await client.query(
    'select domain_id::int, url_hash, url from urls where domain_id = any($1) order by random() limit $2',
    [[...leases.keys()], KNOWN_LINKS],
  );
  const batch = new Batch();
  const noLinks = { own: [], foreign: new Map() };
  for (const row of takeInTurns(due.rows, BATCH_PAGES)) {
    batch.addVisit(describeVisit(leases.get(row.domain_id), row), noLinks);
  }
  for (const { domain_id, url_hash, url } of known.rows) {
    batch.addFound(leases.get(domain_id), { own: [describeLink(url_hash, url)], foreign: new Map() });
  }
  const all = [...leases.values()];
  for (let link = 0; link < NEW_LINKS; link += 1) {
    const lease = all[link % all.length];
    const url = `https://${lease.domain}/new/${number + WARM_UP_BATCHES}/a-page-nobody-knew-${link}.html`;
    batch.addFound(lease, {
      own: [describeLink(createHash('sha256').update(url).digest(), url)],
      foreign: new Map(),
    });
  }
  return batch;
}

async function readLeases(client) {
  const { rows } = await client.query(
    'select id::int, domain, parent_domain, version::int from domains where claimed_by = $1',
    [COMMITTER],
  );
  return new Map(
    rows.map(({ id, domain, parent_domain, version }) => [
      id,
      { domainId: id, domain, parentDomain: parent_domain, version },
    ]),
  );
}

/** One of each domain, then the next of each, as their delays would have it. */
function takeInTurns(rows, wanted) {
  const byDomain = new Map(rows.map((row) => [row.domain_id, []]));
  for (const row of rows) byDomain.get(row.domain_id).push(row);
  const taken = [];
  for (let turn = 0; taken.length < wanted; turn += 1) {
    const before = taken.length;
    for (const own of byDomain.values()) {
      if (own[turn] !== undefined && taken.length < wanted) taken.push(own[turn]);
    }
    if (taken.length === before) throw new Error('the frontier has run dry');
  }
  return taken;
}

function describeLink(hash, url) {
  return { hash, url, depth: 2, priority: 2, isSeed: false, redirectCount: 0, template: undefined };
}

function describeVisit(lease, { url_hash, url, depth, priority }) {
  return {
    lease,
    due: {
      hash: url_hash,
      id: url_hash.toString('latin1'),
      url,
      depth,
      priority,
      isSeed: false,
      redirectCount: 0,
      errorCount: 0,
      etag: undefined,
      lastModified: undefined,
      known: undefined,
    },
    outcome: { kind: 'page', httpStatus: 200, message: undefined, holdMs: undefined },
    fetchedAt: new Date(),
    durationMs: 60,
    bytes: 20_480,
    etag: undefined,
    lastModified: undefined,
    isDomainHealthy: true,
    page: {
      contentType: 'text/html',
      charset: 'utf-8',
      contentLength: 20_480,
      transferLength: 20_480,
      contentHash: createHash('sha256').update(url_hash).digest(),
      simhash: url_hash.readBigUInt64BE(0),
      title: 'The title of a page as long as titles are',
      description: 'A sentence about the page that its author has written for search engines.',
      canonicalUrl: url,
      language: 'en',
      textLength: 9000,
      linksCount: LINKS_ON_PAGE,
      imagesCount: 0,
      isNoindex: false,
      isNofollow: false,
      body: undefined,
    },
  };
}

function describe(timings, wanted) {
  const values = timings.filter(({ name }) => name === wanted).map(({ ms }) => ms);
  return {
    batches: values.length,
    medianMs: median(values),
    percentile95Ms: percentile(values, 95),
    pagesPerSecond: (BATCH_PAGES * values.length * 1000) / values.reduce((sum, ms) => sum + ms, 0),
  };
}
