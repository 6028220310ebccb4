/** `forager proxy import` and `export`: files of any size, as a stream. */
import type { Command } from 'commander';
import { openTarget } from '../control/export/export-target.ts';
import { exportProxies, type ProxyExportFormat } from '../control/proxies/export-proxies.ts';
import { type ImportLine, importProxies } from '../control/proxies/import-proxies.ts';
import { ImportFigures } from '../control/proxies/import-report.ts';
import { splitLines } from '../engine/seeds/text-lines.ts';
import { cliActor } from './cli-actor.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { EXIT_FAILED, QuietExit } from './exit.ts';
import { formatCount, printable } from './format.ts';
import { type ByteInput, openInput } from './open-input.ts';
import {
  type DetailOptions,
  type FilterOptions,
  proxyRules,
  readDetails,
  readFilter,
} from './proxy-options.ts';
import { startSeedProgress } from './seed-progress.ts';

/** Further refused lines are only counted, except for machines. */
const MOST_TOLD = 20;

interface ImportCommandOptions extends DetailOptions {
  readonly update?: true;
  readonly domain?: string;
}

export async function importProxyFile(file: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const given = command.optsWithGlobals<ImportCommandOptions>();
  const onDuplicate = given.update ? ('update' as const) : ('skip' as const);
  const options = { ...readDetails(given), onDuplicate, domain: given.domain };
  const input = await openInput(file, 'file');
  const figures = new ImportFigures();
  let told = 0;
  await withDatabase(context.config, async (db) => {
    const rules = await proxyRules(db, context.config);
    const progress = startSeedProgress(context, figures, 'importing');
    const { name, sizeBytes } = input;
    progress.begin({ name, fraction: () => (sizeBytes ? input.readBytes / sizeBytes : undefined) });
    try {
      for await (const results of importProxies(db, readLines(input), options, rules, cliActor())) {
        for (const one of results) {
          if (context.isJson) context.printJson(one);
          else if (one.result === 'refused' && told < MOST_TOLD) {
            told += 1;
            progress.complain(`${name}:${one.line}: ${printable(one.proxy)}: ${one.reason}.`);
          }
        }
        figures.count(results);
      }
    } finally {
      progress.stop();
    }
  });
  tellEnd(context, figures);
}

async function* readLines(input: ByteInput): AsyncGenerator<ImportLine[]> {
  for await (const lines of splitLines(input.bytes())) yield lines;
}

function tellEnd(context: CommandContext, figures: ImportFigures): void {
  const { added, updated, duplicates, refused, lines } = figures;
  if (context.isJson) context.printJson({ ...figures, isSum: true });
  else {
    const untold = refused - MOST_TOLD;
    if (untold > 0) context.err.write(`forager: ${formatCount(untold)} more lines were refused.\n`);
    context.printLine(
      `${formatCount(lines)} lines: ${formatCount(added)} added, ${formatCount(updated)} updated, ` +
        `${formatCount(duplicates)} there already, ${formatCount(refused)} refused.`,
    );
  }
  // Whoever gave nothing that could be taken has given the wrong file.
  if (refused > 0 && added + updated + duplicates === 0) throw new QuietExit(EXIT_FAILED);
}

interface ExportCommandOptions extends FilterOptions {
  readonly format: ProxyExportFormat;
  readonly output?: string;
}

export async function exportProxyFile(command: Command): Promise<void> {
  const context = makeContext(command);
  const options = command.optsWithGlobals<ExportCommandOptions>();
  const filter = readFilter(options);
  const format = context.isJson ? 'json' : options.format;
  await withDatabase(context.config, async (db) => {
    const target = await openTarget(options.output);
    try {
      for await (const text of exportProxies(db, filter, format)) {
        if (target.isClosed) break;
        await target.write(text);
      }
      await target.finish();
    } catch (error) {
      await target.discard();
      throw error;
    }
  });
  if (options.output !== undefined && options.output !== '-') {
    context.err.write(`Written to ${printable(options.output)}, without passwords.\n`);
  }
}
