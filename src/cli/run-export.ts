/** Runs an export and reports on it: progress where a person looks, the number of rows at the end. */
import type { Command } from 'commander';
import { exportLog } from '../control/export/export-log.ts';
import {
  BODY_FIELDS,
  type BodyField,
  type ExportPagesResult,
  exportPages,
} from '../control/export/export-pages.ts';
import { exportPrices, exportProducts } from '../control/export/export-products.ts';
import { type ExportRowsRequest, exportUrls } from '../control/export/export-urls.ts';
import { type ExportFormat, guessFormat } from '../control/export/row-format.ts';
import { exportImages } from '../control/images/export-images.ts';
import { checkRun } from '../control/runs/check-run.ts';
import { monotonicMs } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { EXIT_INTERRUPTED, QuietExit, UsageError } from './exit.ts';
import { formatCount } from './format.ts';
import { warcDirectory } from './warc-directory.ts';

const PROGRESS_EVERY_MS = 200;

interface ExportOptions {
  readonly format?: ExportFormat;
  readonly output?: string;
  readonly domain: readonly string[];
  readonly run?: number;
  readonly with?: string;
  readonly includeNoindex?: true;
  readonly gone?: boolean;
  readonly since?: Date;
}

export async function runPagesExport(command: Command): Promise<void> {
  const { with: fields, includeNoindex, gone: isGone } = command.optsWithGlobals<ExportOptions>();
  const bodyFields = readBodyFields(fields);
  await runExport(command, 'pages', (db, request, context) =>
    exportPages(db, {
      ...request,
      with: bodyFields,
      warcDirectory: warcDirectory(context.config),
      includeNoindex: includeNoindex === true,
      isGone,
    }),
  );
}

export function runUrlsExport(command: Command): Promise<void> {
  return runExport(command, 'URLs', exportUrls);
}

export function runLogExport(command: Command): Promise<void> {
  return runExport(command, 'log lines', exportLog);
}

export function runProductsExport(command: Command): Promise<void> {
  const { since } = command.optsWithGlobals<ExportOptions>();
  return runExport(command, 'products', (db, request) => exportProducts(db, { ...request, since }));
}

export function runImagesExport(command: Command): Promise<void> {
  return runExport(command, 'images', exportImages);
}

export function runPricesExport(command: Command): Promise<void> {
  const { since } = command.optsWithGlobals<ExportOptions>();
  return runExport(command, 'prices', (db, request) => exportPrices(db, { ...request, since }));
}

type Exporter = (
  db: Database,
  request: ExportRowsRequest,
  context: CommandContext,
) => Promise<{ rows: number } & Partial<ExportPagesResult>>;

async function runExport(command: Command, what: string, exporter: Exporter): Promise<void> {
  const context = makeContext(command);
  const { output, format, domain, run } = command.optsWithGlobals<ExportOptions>();
  const progress = makeProgress(context, what);
  const interruption = catchInterruption();
  try {
    const result = await withDatabase(context.config, async (db) => {
      if (run !== undefined) await checkRun(db, run);
      return exporter(
        db,
        {
          format: format ?? guessFormat(output),
          file: output,
          domains: domain,
          runId: run,
          onProgress: progress.update,
          signal: interruption.signal,
        },
        context,
      );
    });
    progress.clear();
    report(context, what, output, result);
  } catch (error) {
    progress.clear();
    if (!interruption.signal.aborted) throw error;
    context.err.write('Stopped; no file was written.\n');
    throw new QuietExit(EXIT_INTERRUPTED);
  } finally {
    interruption.release();
  }
}

function readBodyFields(text: string | undefined): BodyField[] {
  const names = (text ?? '').split(',').flatMap((name) => name.trim() || []);
  return [...new Set(names)].map((name) => {
    const field = BODY_FIELDS.find((known) => known.toLowerCase() === name.toLowerCase());
    if (field !== undefined) return field;
    throw new UsageError(
      `"${name}" is no field that --with could add.`,
      `choose from ${BODY_FIELDS.join(', ')}`,
    );
  });
}

/** Messages go to standard error: standard output may be the export itself. */
function report(
  context: CommandContext,
  what: string,
  output: string | undefined,
  result: { rows: number } & Partial<ExportPagesResult>,
): void {
  const isFile = output !== undefined && output !== '-';
  if (context.isJson && isFile) {
    context.printJson({ file: output, ...result });
    return;
  }
  const { err } = context;
  if (isFile) err.write(`${formatCount(result.rows)} ${what} written to ${output}.\n`);
  if (result.skippedNoindex) {
    err.write(
      `${formatCount(result.skippedNoindex)} left out because they ask not to be indexed (--include-noindex).\n`,
    );
  }
  if (result.unreadableBodies) {
    err.write(
      `${formatCount(result.unreadableBodies)} kept bodies could not be read; the first: ${result.firstProblem}\n`,
    );
  }
}

function makeProgress(context: CommandContext, what: string): { update(rows: number): void; clear(): void } {
  const { err } = context;
  if (!err.isInteractive) return { update: () => undefined, clear: () => undefined };
  let shownAtMs = monotonicMs();
  let isShown = false;
  return {
    update: (rows) => {
      if (monotonicMs() - shownAtMs < PROGRESS_EVERY_MS) return;
      shownAtMs = monotonicMs();
      isShown = true;
      err.write(`\r${formatCount(rows)} ${what} …`);
    },
    clear: () => {
      if (isShown) err.write('\r\u001b[K');
      isShown = false;
    },
  };
}

/** Ctrl-C leaves no half-written file behind and lets the database close. */
function catchInterruption(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, abort);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, abort);
    },
  };
}
