/** What a crawl has to say of images. */
import type { RunSummary } from '../control/runs/run-summary.ts';
import { formatCount } from './format.ts';
import type { Style } from './terminal.ts';

export function imageLines(
  { outcomes }: RunSummary,
  style: Style,
  suggest: (command: string) => string,
): string[] {
  const kept = outcomes.image ?? 0;
  const refused = outcomes['image-refused'] ?? 0;
  if (kept + refused === 0) return [];
  const width = Math.max(formatCount(kept).length, formatCount(refused).length);
  return [
    `  ${style.bold('Images')}  ${style.dim(suggest('image list'))}`,
    `    ${formatCount(kept).padStart(width)}  fetched and kept`,
    ...(refused === 0
      ? []
      : [
          style.yellow(
            `    ${formatCount(refused).padStart(width)}  not kept: ${suggest('image list --refused')}`,
          ),
        ]),
    '',
  ];
}
