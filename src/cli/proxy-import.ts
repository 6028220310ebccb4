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
import { countOf, PROXIES } from './proxy-words.ts';
import { startSeedProgress } from './seed-progress.ts';

/** Of either kind; further ones are only counted, except for machines. */
const MOST_TOLD = 20;

interface ImportCommandOptions extends DetailOptions {
  readonly update?: true;
  readonly domain?: string;
  readonly yes?: true;
}

export async function importProxyFile(file: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const given = command.optsWithGlobals<ImportCommandOptions>();
  const onDuplicate = given.update ? ('update' as const) : ('skip' as const);
  const options = { ...readDetails(given), onDuplicate, domain: given.domain, confirm: given.yes };
  const input = await openInput(file, 'file');
  const figures = new ImportFigures();
  const told = { refused: 0, duplicate: 0 };
  await withDatabase(context.config, async (db) => {
    const rules = await proxyRules(db, context.config);
    const progress = startSeedProgress(context, figures, 'importing');
    const { name, sizeBytes } = input;
    progress.begin({ name, fraction: () => (sizeBytes ? input.readBytes / sizeBytes : undefined) });
    try {
      for await (const portion of importProxies(db, readLines(input), options, rules, cliActor())) {
        for (const one of portion.results) {
          const { result } = one;
          if (context.isJson) context.printJson(one);
          else if (result === 'refused' || result === 'duplicate') {
            told[result] += 1;
            if (told[result] <= MOST_TOLD)
              progress.complain(`${name}:${one.line}: ${printable(one.proxy)}: ${one.reason}.`);
          }
        }
        figures.count(portion);
      }
    } finally {
      progress.stop();
    }
  });
  tellEnd(context, figures, given.domain);
}

async function* readLines(input: ByteInput): AsyncGenerator<ImportLine[]> {
  for await (const lines of splitLines(input.bytes())) yield lines;
}

function tellEnd(context: CommandContext, figures: ImportFigures, domain: string | undefined): void {
  const { added, updated, duplicates, refused, lines, assigned } = figures;
  if (context.isJson) context.printJson({ ...figures, isSum: true });
  else {
    tellUntold(context, refused, 'refused');
    tellUntold(context, duplicates, 'there already');
    context.printLine(
      `${countOf(lines, ['line', 'lines'])}: ${formatCount(added)} added, ${formatCount(updated)} updated, ` +
        `${formatCount(duplicates)} there already, ${formatCount(refused)} refused.`,
    );
    if (domain !== undefined) {
      const were = countOf(assigned, PROXIES, ['is', 'are']);
      context.printLine(`${were} newly assigned to ${printable(domain)}.`);
    }
  }
  if (refused > 0) throw new QuietExit(EXIT_FAILED);
}

function tellUntold(context: CommandContext, count: number, what: string): void {
  const untold = count - MOST_TOLD;
  if (untold <= 0) return;
  const were = countOf(untold, ['more line', 'more lines'], ['was', 'were']);
  context.err.write(`forager: ${were} ${what}.\n`);
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
