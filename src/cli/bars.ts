/** Figures with a bar beside each: as long as it is large, the largest as long as there is room for. */
import { formatCount, pad, visibleWidth } from './format.ts';
import type { Style } from './terminal.ts';

export interface Bar {
  readonly label: string;
  readonly count: number;
}

const LONGEST = 30;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

export function drawBars(bars: readonly Bar[], style: Style, longest = LONGEST): string[] {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const labelWidth = Math.max(0, ...bars.map(({ label }) => visibleWidth(label)));
  const countWidth = Math.max(0, ...bars.map(({ count }) => formatCount(count).length));
  return bars.map(({ label, count }) => {
    const bar = drawBar((count / most) * longest);
    return `${pad(label, labelWidth, 'left')}  ${pad(formatCount(count), countWidth, 'right')}  ${style.cyan(bar)}`.trimEnd();
  });
}

/** What is there at all can be seen. */
function drawBar(cells: number): string {
  const eighths = cells > 0 ? Math.max(1, Math.round(cells * 8)) : 0;
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}
