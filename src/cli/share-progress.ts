/** How much of a known number is done: a bar, on a terminal only. */
import type { CommandContext } from './context.ts';
import { formatCount } from './format.ts';
import { LiveLines } from './live-lines.ts';

const BAR_WIDTH = 30;

export async function showShare<T>(
  { err, isJson }: CommandContext,
  what: string,
  /** Undefined: it is told with the progress. */
  known: number | undefined,
  work: (onCount: (done: number, total?: number) => void) => Promise<T>,
): Promise<T> {
  const live = err.isInteractive && !isJson && known !== 0 ? new LiveLines(err) : undefined;
  try {
    return await work((done, told) => {
      const total = Math.max(1, known ?? told ?? done);
      const share = Math.min(1, done / total);
      const filled = Math.round(share * BAR_WIDTH);
      const bar = `${err.style.cyan('█'.repeat(filled))}${err.style.dim('░'.repeat(BAR_WIDTH - filled))}`;
      live?.draw([
        `  ${what} ${bar} ${Math.floor(share * 100)} %  ${formatCount(done)} of ${formatCount(total)}`,
      ]);
    });
  } finally {
    live?.clear();
  }
}
