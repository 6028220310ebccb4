/** Puts a crawl together from settings and options, shows its progress, and tells how it went. */
import { type ExportPagesResult, exportPages } from '../control/export/export-pages.ts';
import { checkTarget } from '../control/export/export-target.ts';
import { guessFormat } from '../control/export/row-format.ts';
import { type RunSummary, readRunSummary } from '../control/runs/run-summary.ts';
import { openBox } from '../control/secrets/open-box.ts';
import { EngineEvents } from '../engine/events.ts';
import { makeScope } from '../engine/frontier/scope.ts';
import type { Seed } from '../engine/frontier/seeds.ts';
import { Crawl, type CrawlEnd } from '../engine/run/crawl.ts';
import type { Database } from '../platform/database.ts';
import { indexAfterCrawl } from '../search/index-after-crawl.ts';
import { type CommandContext, withDatabase } from './context.ts';
import type { CrawlOptions } from './crawl-options.ts';
import { startProgress } from './crawl-progress.ts';
import { isFruitless, printSummary } from './crawl-summary.ts';
import { crawlSettings, openTools } from './engine-tools.ts';
import { EXIT_FAILED, EXIT_INTERRUPTED, QuietExit } from './exit.ts';
import { formatCount, printable } from './format.ts';
import { readSeeds } from './read-seeds.ts';
import { hearStopSignals } from './stop-signals.ts';
import { warcDirectory } from './warc-directory.ts';

export async function runCrawl(
  urls: readonly string[],
  options: CrawlOptions,
  context: CommandContext,
): Promise<void> {
  const read = await readSeeds(urls, options.seeds, {
    stripTrailingSlash: options.stripTrailingSlash === true,
    allowPrivate: context.config.allowPrivate,
  });
  for (const line of read.badLines) context.err.write(`forager: ${line}\n`);
  const { end, summary } = await crawlAndTell(read.seeds, options, context);
  if (end.reason === 'stopped') throw new QuietExit(EXIT_INTERRUPTED);
  if (read.badLines.length > 0 || isFruitless(summary)) throw new QuietExit(EXIT_FAILED);
}

export interface CrawlStory {
  readonly end: CrawlEnd;
  readonly summary: RunSummary;
}

/** One crawl with its display and its closing words. */
export async function crawlAndTell(
  seeds: readonly Seed[],
  options: CrawlOptions,
  context: CommandContext,
): Promise<CrawlStory> {
  const { config } = context;
  const { include = [], exclude = [] } = options;
  if (options.export !== undefined) await checkTarget(options.export);
  const { err, isJson } = context;
  // A server left half-started helps nobody: asked for before the database is up, the end waits for that.
  const signals = hearStopSignals((signal) => {
    if (!isJson) err.write(`${signal}: ending; once more stops at once\n`);
  });
  if (err.isInteractive && !isJson) err.write(`  ${err.style.dim('Opening the database …')}\r`);
  return withDatabase(config, async (db) => {
    const settings = {
      ...crawlSettings(config, options.stripTrailingSlash === true),
      isImagesModeAsked: options.images !== undefined,
    };
    const events = new EngineEvents();
    const { store, blobs, fetcher, parsers, close } = await openTools(config, undefined, (sentence) =>
      err.write(`${printable(sentence)}\n`),
    );
    const crawl = new Crawl({
      ...{ db, settings, fetcher, store, blobs, parsers, events, seeds },
      openSecrets: () => openBox(db, config),
      scope: makeScope({
        scope: options.scope,
        seeds: [...new Set(seeds.map((seed) => seed.domain))],
        include,
        exclude,
        maxDepth: config.maxDepth,
      }),
      identity: {
        seeds: seeds.map((seed) => seed.key),
        scope: options.scope,
        include: include.map(String),
        exclude: exclude.map(String),
      },
      limits: { maxPages: options.maxPages, maxPagesPerDomain: options.maxPagesPerDomain },
      rules: {
        scope: options.scope,
        include: include.map((pattern) => pattern.source),
        exclude: exclude.map((pattern) => pattern.source),
        maxDepth: config.maxDepth,
      },
      isInFleet: config.enableClaimProtocol,
    });
    const progress = startProgress({ context, events, crawl });
    signals.whenGraceIsOver(() => void fetcher.close());
    signals.whenAsked((signal) => {
      progress.note(`${signal}: finishing what is in flight; once more stops at once`);
      crawl.stop();
    });
    try {
      const end = await crawl.run();
      progress.stop();
      const summary = await readRunSummary(db, end.runId);
      let exported: ExportPagesResult | undefined;
      try {
        if (options.export !== undefined) exported = await exportRun(db, options.export, end.runId);
      } finally {
        // What was crawled is worth telling also when the export failed.
        printSummary(context, { end, summary, exported, exportFile: options.export });
      }
      if (end.reason !== 'stopped') await makeSearchable(db, context);
      return { end, summary };
    } finally {
      progress.stop();
      await close();
    }
  }).finally(() => signals.unhook());
}

/** The scheduler does it elsewhere; after a crawl by hand there may be none. What goes wrong here spoils no crawl. */
async function makeSearchable(db: Database, { config, err, isJson }: CommandContext): Promise<void> {
  const directory = config.searchPages ? warcDirectory(config) : undefined;
  try {
    const left = await indexAfterCrawl({ db, warcDirectory: directory });
    if (left === 0 || isJson) return;
    err.write(`The text of ${formatCount(left)} pages cannot be searched yet: forager search index\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    err.write(`What was read could not be made searchable: ${printable(reason)}\n`);
  }
}

function exportRun(db: Database, file: string, runId: number): Promise<ExportPagesResult> {
  return exportPages(db, { format: guessFormat(file), file, runId });
}
