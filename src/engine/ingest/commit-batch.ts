/**
 * The one transaction: pages, new URLs, URL states, log, counters and lease renewal, all or nothing, and
 * only for the domains this worker still holds.
 *
 * Links into other domains go first, in a transaction of their own: those domains are not ours to lock
 * together with our own (two workers could wait for each other). If we die in between, the page is still
 * due and will bring the same links again.
 */
import { type Database, prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { checkLeases } from '../claim/claim-domains.ts';
import type { RefreshSettings } from '../crawl-settings.ts';
import { admitIntoDomains } from '../frontier/admit-into-domains.ts';
import { admitUrls, pagesAdded } from '../frontier/admit-urls.ts';
import type { BlobStore } from '../images/blob-store.ts';
import {
  countStoredImages,
  enterMovedImages,
  findLostImages,
  NO_IMAGES,
  touchImagePlaces,
  type WrittenImages,
  writeImages,
} from '../images/write-images.ts';
import type { BodyLocation, BodyStore } from '../store/body-store.ts';
import { followMoves } from '../tasks/follow-moves.ts';
import { type SettledTasks, settleTasks } from '../tasks/settle-tasks.ts';
import type { Lease, Visit } from '../visit.ts';
import type { Batch } from './batch.ts';
import { sumByDomain, tallyVisits } from './domain-sums.ts';
import { lastOfEachUrl, taskCandidates } from './task-visits.ts';
import type { UrlEnding } from './url-ending.ts';
import { type BatchCounters, writeDomainCounters, writeRunCounters } from './write-counters.ts';
import { writeErrors, writeExtractionErrors, writeProxyErrors } from './write-errors.ts';
import { writeProducts } from './write-products.ts';
import { writeProxyUses } from './write-proxy-uses.ts';
import { writeSitemaps } from './write-sitemaps.ts';
import { writePages, writeVisits } from './write-visits.ts';

const lockLeases = prepared('lock-leases', loadSql(import.meta.url, './lock-leases.sql'));

/**
 * Every statement of the batch finds its rows by primary key. Fresh tables have no statistics yet, and a
 * plan made for empty tables would scan them when they are full.
 */
export const byKeyOnly =
  'set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off';

export interface CommitContext {
  readonly db: Database;
  readonly runId: number;
  readonly workerId: string;
  readonly leaseMs: number;
  readonly maxRetries: number;
  readonly refresh: RefreshSettings;
  readonly store: BodyStore | undefined;
  readonly blobs?: BlobStore | undefined;
  /** False: a task that is redirected to an unknown domain ends there. */
  readonly mayAddTaskDomains?: boolean | undefined;
  /** Milliseconds of crawling since the last commit, for the run's clock. */
  readonly activeMs: number;
}

export interface CommitResult {
  /** Leases that were lost: nothing was written under them. */
  readonly lost: ReadonlySet<Lease>;
  /** Leases of domains that another run has asked for meanwhile. */
  readonly wantedElsewhere: ReadonlySet<Lease>;
  /** Domains that have more due than before: new URLs, or visited ones that are due again. */
  readonly withMoreDue: ReadonlySet<number>;
  /** Domains with queued tasks that nobody has taken yet. */
  readonly withTasks: ReadonlySet<number>;
  /** Tasks whose bodies wait for a parser from now on. */
  readonly leftToParsers: SettledTasks['left'];
  /** Templates of candidates that turned out to be known already. */
  readonly knownTemplates: ReadonlyArray<{ readonly domainId: number; readonly template: string }>;
  readonly addedCount: number;
}

export async function commitBatch(batch: Batch, context: CommitContext): Promise<CommitResult> {
  const bodies = await placeBodies(batch.visits);
  const synced = bodies.size > 0 ? context.store?.sync() : undefined;
  // Awaited at the end of the transaction; should that fail first, nobody else looks at it.
  synced?.catch(() => undefined);
  let foreignCount = 0;
  const hasMoved = batch.visits.some(({ imageMovedTo }) => imageMovedTo !== undefined);
  if ((batch.foreign.size > 0 || hasMoved) && (await holdsAny(batch, context))) {
    if (hasMoved) await enterMovedImages(context.db, batch.visits);
    for (const portion of inPortions(batch.foreign)) {
      foreignCount += await admitIntoDomains(context.db, context.runId, portion, 'link');
    }
  }
  const stranded = await followMoves(context.db, batch.visits, context.mayAddTaskDomains !== false);
  let images: WrittenImages = NO_IMAGES;
  const committed = await inTransaction(context.db, async (tx) => {
    const { result, counters, ...written } = await writeBatch(tx, batch, bodies, context, {
      foreignCount,
      stranded,
    });
    // Bytes are on stable storage before the rows that name them are.
    await synced;
    await writeProxyUses(tx, batch.proxyUses, (lease) => !result.lost.has(lease));
    // Last, since every worker of the run writes these rows: they are locked for no longer than the commit takes.
    await writeRunCounters(tx, counters);
    images = written.images;
    return result;
  });
  await countStoredImages(context.db, images);
  return committed;
}

interface LockedLease {
  readonly id: number;
  readonly version: number;
  readonly run_id: number;
  readonly has_tasks: boolean;
  readonly has_products: boolean;
}

/** A worker that has lost everything this batch is about has nothing to say about other domains either. */
async function holdsAny({ leases }: Batch, { db, workerId, runId }: CommitContext): Promise<boolean> {
  const changed = await checkLeases(db, workerId, [...leases], runId);
  return [...leases].some((lease) => changed.get(lease.domainId)?.is_lost !== true);
}

/** Domains locked at once, and rows sent at once, stay few however many domains the pages of a batch link to. */
const MOST_DOMAINS_AT_ONCE = 5000;

function* inPortions(foreign: Batch['foreign']): Generator<Batch['foreign']> {
  let portion: Batch['foreign'] = new Map();
  for (const [domain, candidates] of foreign) {
    portion.set(domain, candidates);
    if (portion.size < MOST_DOMAINS_AT_ONCE) continue;
    yield portion;
    portion = new Map();
  }
  if (portion.size > 0) yield portion;
}

/** Where the archive has put each page's body. */
async function placeBodies(visits: readonly Visit[]): Promise<Map<Visit, BodyLocation>> {
  const bodies = new Map<Visit, BodyLocation>();
  for (const visit of visits) {
    const body = visit.page?.body ?? visit.keptBody;
    if (body !== undefined) bodies.set(visit, await body);
  }
  return bodies;
}

/** What was done before the transaction, in ones of its own. */
interface Beforehand {
  /** URLs added to domains that are not ours. */
  readonly foreignCount: number;
  /** Tasks that were led to a domain that is none of ours to make known. */
  readonly stranded: ReadonlySet<number>;
}

async function writeBatch(
  tx: Transaction,
  batch: Batch,
  bodies: ReadonlyMap<Visit, BodyLocation>,
  context: CommitContext,
  { foreignCount, stranded }: Beforehand,
): Promise<{ result: CommitResult; counters: BatchCounters; images: WrittenImages }> {
  await tx.query(byKeyOnly);
  const leases = [...batch.leases];
  const locked = await tx.query<LockedLease>(lockLeases, [
    context.workerId,
    leases.map((lease) => lease.domainId),
    leases.map((lease) => lease.version),
  ]);
  const versions = new Map(locked.rows.map((row) => [row.id, row.version]));
  const lost = new Set(leases.filter((lease) => versions.get(lease.domainId) !== lease.version));
  const movedIds = new Set(locked.rows.filter((row) => row.run_id !== context.runId).map((row) => row.id));
  const wantedElsewhere = new Set(leases.filter((l) => !lost.has(l) && movedIds.has(l.domainId)));
  const isHeld = ({ lease }: { readonly lease: Lease }): boolean => !lost.has(lease);

  const lostImages = await findLostImages(tx, batch.visits.filter(isHeld), context.blobs);
  const held = batch.visits.filter((visit) => isHeld(visit) && !lostImages.has(visit));
  const visits = lastOfEachUrl(held);
  const own = [...batch.own.filter(isHeld), ...taskCandidates(visits)];
  const admitted = await admitUrls(
    tx,
    own.map(({ lease, candidate }) => ({ domainId: lease.domainId, candidate })),
  );
  await touchImagePlaces(tx, visits);
  const endings = await writeVisits(tx, visits, context);
  const saved = await writePages(tx, visits, bodies, context.runId);
  const tasks = await settleTasks(tx, context.workerId, held, { bodies, stranded });
  const products = await writeProducts(
    tx,
    visits.map((visit, index) => ({ visit, ending: endings[index], seenAt: visit.fetchedAt })),
    new Set(locked.rows.filter((row) => row.has_products).map((row) => row.id)),
  );
  const images = await writeImages(tx, visits, (visit) => products.idByVisit.get(visit));
  await writeErrors(tx, visits, context);
  await writeExtractionErrors(tx, visits, { ...context, unwritten: products.unwritten });
  await writeProxyErrors(tx, batch.proxyUses, context);
  await writeSitemaps(tx, batch.sitemaps.filter(isHeld));
  const counters: BatchCounters = {
    context,
    sums: sumByDomain(visits, saved, versions.keys(), products.newByDomain),
    addedByDomain: pagesAdded(admitted, images.turned),
    addedCount: admitted.addedCount + foreignCount,
    addedTemplates: admitted.addedTemplates,
    consecutiveErrors: batch.consecutiveErrors,
    restingUntil: batch.restingUntil,
    tallies:
      versions.size === 0
        ? new Map()
        : tallyVisits(visits, endings, [...batch.tallies, ...tasks.tallies, ...products.tallies]),
  };
  await writeDomainCounters(tx, counters);
  const { knownTemplates, addedCount, addedByDomain } = admitted;
  const dueAgain = visits.filter((_, index) => isDueAgain(endings[index]));
  const withMoreDue = new Set([
    ...[...addedByDomain.keys(), ...images.turned],
    ...[...dueAgain, ...lostImages].map(({ lease }) => lease.domainId),
  ]);
  const withTasks = new Set(tasks.queuedAgain);
  for (const row of locked.rows) if (row.has_tasks) withTasks.add(row.id);
  const leftToParsers = tasks.left;
  const result = { lost, wantedElsewhere, withMoreDue, withTasks, leftToParsers, knownTemplates, addedCount };
  return { result, counters, images };
}

function isDueAgain(ending: UrlEnding | undefined): boolean {
  return ending?.state === 'never_crawled' || (ending?.finding === 'unread' && ending.isKept);
}
