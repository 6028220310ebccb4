/**
 * Loading seeds, from wherever they come: batches go out while the next one is being read, and a figure counts
 * what is committed, never what is only under way.
 */
import type { Database } from '../../platform/database.ts';
import { reasonOfGoing } from './going-domains.ts';
import { IdSet } from './id-set.ts';
import type { SeedItem } from './read-seed-list.ts';
import { type SeedOrigin, storeSeeds } from './store-seeds.ts';

export interface SeedFigures {
  lines: number;
  newDomains: number;
  knownDomains: number;
  newUrls: number;
  badLines: number;
}

export type BadSeed = Extract<SeedItem, { kind: 'bad' }>;

export interface SeedLoadParts {
  readonly db: Pick<Database, 'pool'>;
  /** Told of every bad line, in order. */
  readonly onBad: (bad: BadSeed) => void;
}

/** Large enough that a transaction's fixed costs vanish, small enough to hold no lock for long. */
export const BATCH_SEEDS = 2000;

export class SeedLoad {
  readonly figures: SeedFigures = { lines: 0, newDomains: 0, knownDomains: 0, newUrls: 0, badLines: 0 };
  readonly #parts: SeedLoadParts;
  readonly #seen = new IdSet();

  constructor(parts: SeedLoadParts) {
    this.#parts = parts;
  }

  /** Reads until the source ends or `signal` says so; then what was read is still stored. */
  async load(
    source: AsyncIterable<readonly SeedItem[]>,
    origin: SeedOrigin,
    signal?: AbortSignal,
  ): Promise<void> {
    let batch: SeedItem[] = [];
    let storing: Promise<unknown> = Promise.resolve();
    let failure: unknown;
    const send = async (): Promise<void> => {
      await storing;
      storing = this.store(batch, origin);
      // Awaited before the next batch goes out and at the end; until then a failure is nobody's yet.
      storing.catch(() => undefined);
      batch = [];
    };
    try {
      for await (const items of source) {
        for (const item of items) {
          batch.push(item);
          if (batch.length >= BATCH_SEEDS) await send();
          if (signal?.aborted) break;
        }
        if (signal?.aborted) break;
      }
    } catch (error) {
      failure = error;
    }
    // Also of a list that breaks off in the middle (or a database that does: then this fails in the same way).
    if (batch.length > 0) await send();
    await storing;
    if (failure !== undefined && signal?.aborted !== true) throw failure;
  }

  /** One batch, committed when this returns. Tells of each item, in order, why it was not taken, if it was not. */
  async store(items: readonly SeedItem[], origin: SeedOrigin): Promise<(BadSeed | undefined)[]> {
    const { figures } = this;
    let going: ReadonlyMap<string, number> = new Map();
    const seeds = items.filter((item) => item.kind === 'seed');
    if (seeds.length > 0) {
      const stored = await storeSeeds(this.#parts.db, seeds, origin);
      going = stored.going;
      figures.newUrls += stored.newUrls;
      for (const id of stored.ids) {
        if (!this.#seen.add(id)) continue;
        if (stored.newIds.has(id)) figures.newDomains += 1;
        else figures.knownDomains += 1;
      }
    }
    const refused = items.map((item) => refusalOf(item, going));
    for (const bad of refused) {
      if (bad === undefined) continue;
      figures.badLines += 1;
      this.#parts.onBad(bad);
    }
    figures.lines += items.length;
    return refused;
  }
}

function refusalOf(item: SeedItem, going: ReadonlyMap<string, number>): BadSeed | undefined {
  if (item.kind === 'bad') return item;
  const jobId = going.get(item.seed.domain);
  if (jobId === undefined) return undefined;
  return { kind: 'bad', number: undefined, text: item.seed.candidate.url, reason: reasonOfGoing(jobId) };
}
