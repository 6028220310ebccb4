/**
 * One transaction for what was read of a lot: pages, the states of their URLs, what they link to, their tasks and the
 * counters, all or nothing, and only for tasks that are still in this parser's hands. The domains are locked first, as
 * everywhere: whoever holds their leases writes in turn with us.
 *
 * Links into other domains go before it, in a transaction of their own, as with every batch (ingest/commit-batch.ts).
 */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import type { CrawlSettings } from '../crawl-settings.ts';
import { admitIntoDomains } from '../frontier/admit-into-domains.ts';
import { admitUrls } from '../frontier/admit-urls.ts';
import { countStoredImages, type WrittenImages, writeImages } from '../images/write-images.ts';
import { byKeyOnly } from '../ingest/commit-batch.ts';
import { taskCandidates } from '../ingest/task-visits.ts';
import { writeExtractionErrors } from '../ingest/write-errors.ts';
import { writeProducts } from '../ingest/write-products.ts';
import { writeEndings, writePages } from '../ingest/write-visits.ts';
import { STANDING_RUN } from '../run/standing-run.ts';
import type { Candidate } from '../visit.ts';
import { countReadings } from './count-readings.ts';
import { urlKey } from './known-pages.ts';
import type { GoodReading, Reading } from './reading.ts';
import { type SettledParses, settleParses } from './settle-parses.ts';
import { weighReadings } from './weigh-readings.ts';
import { writeRereadings } from './write-rereadings.ts';

const lockDomains = loadSql(import.meta.url, './lock-domains.sql');
const lockParses = loadSql(import.meta.url, './lock-parses.sql');

export interface ReadingsContext {
  readonly db: Database;
  readonly workerId: string;
  readonly lotNumber: number;
  readonly settings: Pick<CrawlSettings, 'maxRetries' | 'refresh'>;
  /** Tasks that were still ours a moment ago: one that was not has nothing to say about other domains. */
  readonly heldIds: ReadonlySet<number>;
  /** What was passed over on the pages. */
  readonly tallies: ReadonlyMap<string, number>;
}

export interface WrittenReadings extends SettledParses {
  /** Somebody paused or cancelled them, or has taken them over: nothing was written. */
  readonly lost: number;
  /** Of the URLs found, those that were known: their templates were counted for nothing. */
  readonly knownTemplates: ReadonlyArray<{ readonly domainId: number; readonly template: string }>;
}

export async function commitReadings(
  readings: readonly Reading[],
  context: ReadingsContext,
): Promise<WrittenReadings> {
  const foreign = gatherForeign(readings.filter(({ task }) => context.heldIds.has(task.id)));
  const foreignCount =
    foreign.size === 0 ? 0 : await admitIntoDomains(context.db, STANDING_RUN, foreign, 'link');
  const { images, ...written } = await inTransaction(context.db, (tx) =>
    writeReadings(tx, readings, context, foreignCount),
  );
  await countStoredImages(context.db, images);
  return written;
}

async function writeReadings(
  tx: Transaction,
  readings: readonly Reading[],
  context: ReadingsContext,
  foreignCount: number,
): Promise<WrittenReadings & { readonly images: WrittenImages }> {
  const { workerId, lotNumber, settings, tallies } = context;
  await tx.query(byKeyOnly);
  const domains = await lockDomainsOf(tx, readings);
  const ids = readings.map(({ task }) => task.id);
  const held = await lock(tx, lockParses, [workerId, lotNumber, ids]);
  const kept = readings.filter(({ task }) => held.has(task.id));
  const good = kept.filter((reading) => reading.kind === 'read');

  const { fresh, repeated, outdated } = await weighReadings(tx, good);
  const visits = fresh.map(({ visit }) => visit);
  const ordered = await admitUrls(
    tx,
    taskCandidates(visits).map(({ lease, candidate }) => ({ domainId: lease.domainId, candidate })),
  );
  const found = await admitUrls(tx, gatherOwn(readings, domains.locked));
  const endings = await writeEndings(tx, visits, settings);
  const bodies = new Map(fresh.flatMap(({ visit, body }) => (body === undefined ? [] : [[visit, body]])));
  const saved = await writePages(tx, visits, bodies, STANDING_RUN);
  await writeRereadings(tx, repeated);
  const outdatedIds = new Set(outdated.map(({ task }) => task.id));
  const isOutdated = new Set(kept.filter(({ task }) => outdatedIds.has(task.id)));
  const settled = await settleParses(tx, { workerId, lotNumber }, kept, isOutdated);
  const products = await writeProducts(
    tx,
    [
      ...visits.map((visit, index) => ({ visit, ending: endings[index], seenAt: visit.fetchedAt })),
      ...repeated.map(({ visit, seenAt }) => ({ visit, ending: undefined, seenAt })),
    ],
    domains.withProducts,
  );
  const all = [...visits, ...repeated.map(({ visit }) => visit)];
  const images = await writeImages(tx, all, (visit) => products.idByVisit.get(visit));
  await writeExtractionErrors(tx, all, { workerId, unwritten: products.unwritten });
  await countReadings(tx, {
    ...{ workerId, visits, endings, saved, settled, products, tallies, ordered, found, foreignCount },
  });
  const lost = readings.length - kept.length;
  return { ...settled, lost, knownTemplates: found.knownTemplates, images };
}

interface LockedDomains {
  readonly locked: ReadonlySet<number>;
  readonly withProducts: ReadonlySet<number>;
}

async function lockDomainsOf(tx: Transaction, readings: readonly Reading[]): Promise<LockedDomains> {
  const ids = [...new Set(readings.map(({ task }) => task.domain_id))];
  const { rows } = await tx.query<{ id: number; has_products: boolean }>(lockDomains, [ids]);
  return {
    locked: new Set(rows.map(({ id }) => id)),
    withProducts: new Set(rows.filter((row) => row.has_products).map(({ id }) => id)),
  };
}

async function lock(tx: Transaction, statement: string, values: readonly unknown[]): Promise<Set<number>> {
  const { rows } = await tx.query<{ id: number }>(statement, values);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Each URL once, however many pages link to it. Also what a page links to whose task is not ours any more: the others
 * of the lot were not asked for the same links.
 */
function gatherOwn(
  readings: readonly Reading[],
  domains: ReadonlySet<number>,
): { domainId: number; candidate: Candidate }[] {
  const found = new Map<string, { domainId: number; candidate: Candidate }>();
  for (const reading of readings) {
    const domainId = reading.task.domain_id;
    if (reading.kind === 'failed' || !domains.has(domainId)) continue;
    for (const candidate of reading.found.own) {
      const key = urlKey({ domainId, hash: candidate.hash });
      if (!found.has(key)) found.set(key, { domainId, candidate });
    }
  }
  return [...found.values()];
}

function gatherForeign(readings: readonly Reading[]): Map<string, Candidate[]> {
  const foreign = new Map<string, Candidate[]>();
  const good = readings.filter((reading): reading is GoodReading => reading.kind === 'read');
  for (const { found } of good) {
    for (const [domain, candidates] of found.foreign) {
      const known = foreign.get(domain);
      if (known === undefined) foreign.set(domain, [...candidates]);
      else known.push(...candidates);
    }
  }
  return foreign;
}
