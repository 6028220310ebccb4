/** Seeds while they are loaded: a bar on a terminal, a plain line now and then elsewhere. */
import type { SeedFigures } from '../engine/seeds/seed-load.ts';
import { monotonicMs } from '../platform/clock.ts';
import type { CommandContext } from './context.ts';
import { formatCount, formatDuration, formatRate, shorten } from './format.ts';
import { LiveLines } from './live-lines.ts';

const LIVE_EVERY_MS = 200;
const PLAIN_EVERY_MS = 10_000;
const BAR_WIDTH = 24;

export interface SeedProgress {
  /** From now on it is this source that is being read. */
  begin(source: { readonly name: string; readonly fraction: () => number | undefined }): void;
  note(text: string): void;
  /** Something is wrong with the input: said to machines' keepers as well. */
  complain(sentence: string): void;
  stop(): void;
}

export function startSeedProgress(
  context: CommandContext,
  figures: Pick<SeedFigures, 'lines'>,
  doing = 'seeding',
): SeedProgress {
  const { err, isJson } = context;
  const live = err.isInteractive && !isJson ? new LiveLines(err) : undefined;
  let source: Parameters<SeedProgress['begin']>[0] = { name: '', fraction: () => undefined };
  let beganMs = monotonicMs();
  let linesBefore = 0;
  let linesTold = -1;

  const write = (line: string): void => {
    if (live === undefined) err.write(`${line}\n`);
    else live.printAbove(line);
  };
  function tick(): void {
    const elapsedMs = monotonicMs() - beganMs;
    const pace = `${formatRate(((figures.lines - linesBefore) / Math.max(1, elapsedMs)) * 1000)} lines/s`;
    const fraction = source.fraction();
    const isKnown = fraction !== undefined && fraction > 0;
    const leftMs = isKnown ? (elapsedMs * (1 - Math.min(1, fraction))) / fraction : undefined;
    const percent = isKnown ? `${Math.floor(Math.min(1, fraction) * 100)} %` : undefined;
    const parts = [percent, `${formatCount(figures.lines)} lines`, pace].filter((part) => part !== undefined);
    if (leftMs !== undefined) parts.push(`${formatDuration(leftMs)} left`);
    if (live === undefined) {
      // Waiting for more is no news.
      if (figures.lines !== linesTold) err.write(`${doing}: ${parts.join(', ')}\n`);
      linesTold = figures.lines;
    } else live.draw([`  ${shorten(source.name, 24)}  ${drawBar(fraction)}${parts.join('  ')}`]);
  }
  function drawBar(fraction: number | undefined): string {
    if (fraction === undefined) return '';
    const filled = Math.round(Math.min(1, fraction) * BAR_WIDTH);
    return `${err.style.cyan('█'.repeat(filled))}${err.style.dim('░'.repeat(BAR_WIDTH - filled))}  `;
  }

  const timer = isJson ? undefined : setInterval(tick, live === undefined ? PLAIN_EVERY_MS : LIVE_EVERY_MS);
  return {
    begin: (next) => {
      source = next;
      beganMs = monotonicMs();
      linesBefore = figures.lines;
    },
    note: (text) => {
      if (!isJson) write(live === undefined ? text : `  ${err.style.yellow('!')} ${text}`);
    },
    complain: (sentence) => write(`forager: ${sentence}`),
    stop: () => {
      clearInterval(timer);
      live?.clear();
    },
  };
}
