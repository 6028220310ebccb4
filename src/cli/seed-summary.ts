/** What became of the seeds. */
import type { SeedFigures } from '../engine/seeds/seed-load.ts';
import type { CommandContext } from './context.ts';
import { formatCount, formatDuration, formatRate, pad } from './format.ts';

export function printSeedSummary(
  context: CommandContext,
  figures: SeedFigures,
  how: { seconds: number; isStopped: boolean },
): void {
  const seconds = Math.round(how.seconds * 1000) / 1000;
  if (context.isJson) {
    context.printJson({ ...figures, seconds, isStopped: how.isStopped });
    return;
  }
  const { style } = context.out;
  const pace = formatRate(figures.lines / Math.max(how.seconds, 0.001));
  const head = how.isStopped ? style.yellow('Stopped.') : style.green('Done.');
  context.printLine(
    `${head} ${formatCount(figures.lines)} lines in ${formatDuration(how.seconds * 1000)} (${pace} lines/s)`,
  );
  const rows: [string, number][] = [
    ['new domains', figures.newDomains],
    ['known domains', figures.knownDomains],
    ['new URLs', figures.newUrls],
    ['bad lines', figures.badLines],
  ];
  const width = Math.max(...rows.map(([, count]) => formatCount(count).length));
  for (const [name, count] of rows) {
    context.printLine(`  ${pad(name, 13, 'left')}  ${pad(formatCount(count), width, 'right')}`);
  }
}
