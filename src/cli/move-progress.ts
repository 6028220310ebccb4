/** How far a long move of tasks is, on a terminal only. */
import type { Progress } from '../control/tasks/move-portions.ts';
import type { CommandContext } from './context.ts';
import { formatCount } from './format.ts';
import { LiveLines } from './live-lines.ts';

export async function showMoves<T>(
  { err, isJson }: CommandContext,
  done: string,
  work: (onPortion: (progress: Progress) => void) => Promise<T>,
): Promise<T> {
  const live = err.isInteractive && !isJson ? new LiveLines(err) : undefined;
  try {
    return await work(({ moved }) => live?.draw([`  ${formatCount(moved)} tasks ${done} …`]));
  } finally {
    live?.clear();
  }
}
