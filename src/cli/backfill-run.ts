/** Runs `db backfill`: progress while it works, then the report; exit 1 if a check fails, 130 if it was stopped. */
import type { Command } from 'commander';
import { backfill } from '../control/backfill/backfill.ts';
import { startBackfillProgress } from './backfill-progress.ts';
import { backfillJson, printBackfillReport } from './backfill-report.ts';
import { makeContext, withDatabase } from './context.ts';
import { EXIT_FAILED, EXIT_INTERRUPTED, QuietExit } from './exit.ts';
import { hearStopSignals } from './stop-signals.ts';

export async function runBackfill(command: Command): Promise<void> {
  const context = makeContext(command);
  const isDryRun = command.optsWithGlobals<{ dryRun?: true }>().dryRun === true;
  const stop = new AbortController();
  const signals = hearStopSignals(() => stop.abort());
  const progress = startBackfillProgress(context);
  signals.whenAsked((signal) => {
    progress.note(`${signal}: stopping after this portion`);
    stop.abort();
  });
  try {
    const result = await withDatabase(context.config, (db) =>
      backfill(db, { isDryRun, signal: stop.signal, onProgress: progress.update }),
    );
    progress.stop();
    if (context.isJson) context.printJson(backfillJson(result, isDryRun));
    else printBackfillReport(context, result, isDryRun);
    if (result.validation === undefined) throw new QuietExit(EXIT_INTERRUPTED);
    if (!isDryRun && !result.validation.isWell) throw new QuietExit(EXIT_FAILED);
  } finally {
    progress.stop();
    signals.unhook();
  }
}
