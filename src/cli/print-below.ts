/** What belongs to a row of a table and is too long for it: below the row, in as many lines as it takes. */
import type { CommandContext } from './context.ts';
import { printable } from './format.ts';
import { wrapFor } from './wrap-text.ts';

const INDENT = '     ';

export function printBelow(context: Pick<CommandContext, 'out' | 'printLine'>, text: string): void {
  const { out } = context;
  const [first = '', ...rest] = wrapFor(out, printable(text), INDENT.length);
  context.printLine(out.style.dim(`  └─ ${first}`));
  for (const line of rest) context.printLine(out.style.dim(INDENT + line));
}
