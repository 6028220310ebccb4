/** Loads seeds from wherever they were said to be, one source after the other, and tells how it went. */
import path from 'node:path';
import type { SeedItem, SeedRules } from '../engine/seeds/read-seed-list.ts';
import { type BadSeed, SeedLoad } from '../engine/seeds/seed-load.ts';
import type { SeedOrigin } from '../engine/seeds/store-seeds.ts';
import { monotonicMs } from '../platform/clock.ts';
import { BadSeeds } from './bad-seeds.ts';
import { type CommandContext, withDatabase } from './context.ts';
import { EXIT_FAILED, EXIT_INTERRUPTED, QuietExit, UsageError } from './exit.ts';
import { printable } from './format.ts';
import { readSeedArguments } from './read-seeds.ts';
import type { SeedOptions } from './seed-command.ts';
import { openSeedInput } from './seed-input.ts';
import { type SeedProgress, startSeedProgress } from './seed-progress.ts';
import { printSeedSummary } from './seed-summary.ts';
import { hearStopSignals } from './stop-signals.ts';

/** One place that seeds come from. */
export interface SeedSource {
  readonly name: string;
  readonly origin: SeedOrigin;
  /** How much of it has been read, from 0 to 1, where that can be known. */
  readonly fraction: () => number | undefined;
  readonly load: (load: SeedLoad, progress: SeedProgress, signal: AbortSignal) => Promise<void>;
}

export async function runSeed(
  urls: readonly string[],
  options: SeedOptions,
  context: CommandContext,
): Promise<void> {
  const rules: SeedRules = { stripTrailingSlash: false, allowPrivate: context.config.allowPrivate };
  // What is wrong with the command line shows before the database is opened.
  const sources = await findSources(urls, options, context, rules);
  const startedMs = monotonicMs();
  const stopper = new AbortController();
  const signals = hearStopSignals((signal) => {
    if (!context.isJson) context.err.write(`${signal}: ending; once more stops at once\n`);
    stopper.abort();
  });
  try {
    await withDatabase(context.config, async (db) => {
      let current: BadSeeds | undefined;
      const load = new SeedLoad({ db, onBad: (bad: BadSeed) => current?.add(bad) });
      const progress = startSeedProgress(context, load.figures);
      signals.whenAsked((signal) => {
        progress.note(`${signal}: storing what was read; once more stops at once`);
        stopper.abort();
      });
      try {
        for (const source of sources) {
          if (stopper.signal.aborted) break;
          current = new BadSeeds(source.name, (sentence) => progress.complain(sentence));
          progress.begin(source);
          try {
            await source.load(load, progress, stopper.signal);
          } finally {
            current.finish();
          }
        }
      } finally {
        progress.stop();
        // What is stored is worth telling also when the rest failed.
        const seconds = (monotonicMs() - startedMs) / 1000;
        printSeedSummary(context, load.figures, { seconds, isStopped: stopper.signal.aborted });
      }
      if (stopper.signal.aborted) throw new QuietExit(EXIT_INTERRUPTED);
      if (load.figures.badLines > 0) throw new QuietExit(EXIT_FAILED);
    });
  } finally {
    signals.unhook();
  }
}

async function findSources(
  urls: readonly string[],
  options: SeedOptions,
  context: CommandContext,
  rules: SeedRules,
): Promise<SeedSource[]> {
  const { file, redis, follow, maxPagesPerRun } = options;
  const originOf = (source: string): SeedOrigin => ({ source: options.source ?? source, maxPagesPerRun });
  if (urls.length === 0 && file === undefined && redis === undefined) {
    throw new UsageError('Nothing to seed: no site was given.', 'name some, or give --file or --redis');
  }
  if (follow && redis === undefined) throw new UsageError('--follow needs --redis.');
  const sources: SeedSource[] = [];
  if (urls.length > 0) sources.push(argumentSource(readItems(urls, rules), originOf('cli')));
  if (file !== undefined) sources.push(await fileSource(file, originOf(sourceOfFile(file)), rules));
  if (redis !== undefined) {
    const { redisSource } = await import('./seed-redis.ts');
    const key = redis === true ? 'start_urls' : redis;
    sources.push(redisSource(context, { key, rules, origin: originOf(`redis:${printable(key)}`), follow }));
  }
  return sources;
}

function readItems(urls: readonly string[], rules: SeedRules): SeedItem[] {
  return readSeedArguments(urls, rules).map((seed) => ({ kind: 'seed', seed, rank: undefined }));
}

function argumentSource(items: readonly SeedItem[], origin: SeedOrigin): SeedSource {
  return {
    name: 'command line',
    origin,
    fraction: () => undefined,
    load: async (load) => void (await load.store(items, origin)),
  };
}

async function fileSource(file: string, origin: SeedOrigin, rules: SeedRules): Promise<SeedSource> {
  const input = await openSeedInput(file);
  return {
    name: input.name,
    origin,
    fraction: () => (input.sizeBytes ? input.readBytes / input.sizeBytes : undefined),
    load: (load, _progress, signal) => load.load(input.items(rules, signal), origin, signal),
  };
}

/** `/data/tranco_20260205.csv.gz` → `tranco_20260205`. */
function sourceOfFile(file: string): string {
  if (file === '-') return 'stdin';
  const name = printable(path.basename(file)).slice(0, 100);
  return name.replace(/\.gz$/i, '').replace(/(?!^)\.[a-z0-9]{1,8}$/i, '');
}
