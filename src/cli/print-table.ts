/** A table as wide as the terminal at most, its head in bold; set in by as many spaces as the indent has. */
import type { CommandContext } from './context.ts';
import { type FitColumn, fitTable } from './fit-table.ts';

export function printTable(
  { out, printLine }: Pick<CommandContext, 'out' | 'printLine'>,
  columns: readonly FitColumn[],
  rows: readonly (readonly string[])[],
  indent = '',
): void {
  const room = { isInteractive: out.isInteractive, columns: out.columns - indent.length };
  const [head = '', ...lines] = fitTable(room, columns, rows).map(
    (line) => indent + line.replaceAll('\n', `\n${indent}`),
  );
  printLine(out.style.bold(head));
  for (const line of lines) printLine(line);
}
