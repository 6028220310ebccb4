/** A heading and its fields, one a line, values aligned: how one thing is shown. */
import type { CommandContext } from './context.ts';
import { pad, printable, visibleWidth } from './format.ts';

export type Field = readonly [label: string, value: string | number | null | undefined];

/** Fields without a value are left out; what a site sent must not steer the terminal. */
export function printFields(context: CommandContext, fields: readonly Field[], indent = ''): void {
  const shown = fields.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(0, ...shown.map(([label]) => visibleWidth(label)));
  for (const [label, value] of shown) {
    const name = context.out.style.dim(pad(label, width, 'left'));
    context.printLine(`${indent}${name}  ${printable(String(value))}`);
  }
}

export function printHeading(context: CommandContext, title: string): void {
  context.printLine();
  context.printLine(context.out.style.bold(printable(title)));
}
