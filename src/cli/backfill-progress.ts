/** The backfill while it runs: a bar on a terminal, a line for each pass elsewhere. */
import { PASSES, type Pass } from '../control/backfill/backfill.ts';
import { monotonicMs } from '../platform/clock.ts';
import type { CommandContext } from './context.ts';
import { formatDuration, pad } from './format.ts';
import { LiveLines } from './live-lines.ts';

const DRAW_EVERY_MS = 200;
const BAR_WIDTH = 30;

const WORDS: Readonly<Record<Pass, string>> = {
  names: 'merging spellings of one name',
  rows: 'bringing rows to their domains',
  counters: 'counting anew',
  checks: 'checking',
};

const WORDS_WIDTH = Math.max(...Object.values(WORDS).map(({ length }) => length));

export interface BackfillProgress {
  update(pass: Pass, share: number): void;
  note(text: string): void;
  stop(): void;
}

export function startBackfillProgress(context: CommandContext): BackfillProgress {
  const { err } = context;
  if (context.isJson) return { update: () => undefined, note: () => undefined, stop: () => undefined };
  if (err.isInteractive) return drawProgress(context);
  let shown: Pass | undefined;
  return {
    update: (pass) => {
      if (pass === shown) return;
      shown = pass;
      err.write(`${WORDS[pass]} …\n`);
    },
    note: (text) => err.write(`${text}\n`),
    stop: () => undefined,
  };
}

/** Drawn by the clock: a portion may take a while, and a run that is over at once shows nothing. */
function drawProgress({ err }: CommandContext): BackfillProgress {
  const live = new LiveLines(err);
  const { style } = err;
  const startedMs = monotonicMs();
  const shares = new Map<Pass, number>();
  function draw(): void {
    const reached = Math.max(
      0,
      PASSES.findLastIndex((pass) => shares.has(pass)),
    );
    const lines = PASSES.map((pass, index) => {
      const words = pad(WORDS[pass], WORDS_WIDTH, 'left');
      if (index > reached) return style.dim(`    ${words}`);
      const share = index < reached ? 1 : (shares.get(pass) ?? 0);
      const filled = Math.round(share * BAR_WIDTH);
      const bar = `${style.cyan('█'.repeat(filled))}${style.dim('░'.repeat(BAR_WIDTH - filled))}`;
      const mark = index < reached ? style.green('✓') : style.cyan('·');
      return `  ${mark} ${words} ${bar} ${pad(`${Math.floor(share * 100)} %`, 5, 'right')}`;
    });
    live.draw(['', ...lines, style.dim(`    ${formatDuration(monotonicMs() - startedMs)}`)]);
  }
  const timer = setInterval(draw, DRAW_EVERY_MS);
  return {
    update: (pass, share) => void shares.set(pass, Math.max(share, shares.get(pass) ?? 0)),
    note: (text) => live.printAbove(`  ${style.yellow('!')} ${text}`),
    stop: () => {
      clearInterval(timer);
      live.clear();
    },
  };
}
