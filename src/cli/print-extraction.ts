/** What a parser found on a page: the verdict, and each field with where it was found and how sure that is. */
import type { Extraction, FoundField, Verdict } from '../engine/extract/product-fields.ts';
import type { CommandContext } from './context.ts';
import { printHeading } from './field-list.ts';
import { fitTable } from './fit-table.ts';
import { printable } from './format.ts';

const SHORTEST_VALUE = 24;

const WORDS: Readonly<Record<Verdict, string>> = {
  valid: 'valid: what a product needs is there and plausible',
  partial: 'partial: it is a product, and something it needs is not there',
  invalid: 'invalid: what is there cannot be right, and would not be stored',
  none: 'none on this page',
};

export function printExtraction(context: CommandContext, extraction: Extraction): void {
  const { parser, version, verdict, problems, fields, failure } = extraction;
  const by = `(parser ${parser}, version ${version})`;
  if (failure !== undefined) {
    printHeading(context, `Product: the parser has failed ${by}`);
    context.printLine(printable(`  ${failure}`));
    return;
  }
  printHeading(context, `Product: ${WORDS[verdict]} ${by}`);
  const found = Object.entries(fields) as [string, FoundField<unknown>][];
  if (found.length > 0) {
    const [head = '', ...lines] = fitTable(
      context.out,
      [
        { title: 'FIELD' },
        { title: 'VALUE', least: SHORTEST_VALUE },
        { title: 'SOURCE' },
        { title: 'CONFIDENCE', align: 'right', drop: 1 },
      ],
      found.map(([name, { value, source, confidence }]) => [
        ...[name, printable(showValue(value)), source],
        confidence.toFixed(2),
      ]),
    );
    context.printLine(`  ${context.out.style.bold(head)}`);
    for (const line of lines) context.printLine(`  ${line}`);
  }
  for (const { field, code, message } of problems) {
    context.printLine(`  ${context.out.style.yellow('!')} ${printable(`${field} (${code}): ${message}`)}`);
  }
}

/** On one line, in words rather than in JSON where it can be. */
export function showValue(value: unknown): string {
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (value.every((each) => typeof each === 'string')) return value.join(' > ');
  const first = value[0] as { url?: string; name?: string; sku?: string } | undefined;
  const shown = first?.url ?? first?.name ?? first?.sku ?? JSON.stringify(first);
  return value.length === 1 ? `${shown}` : `${shown} … ${value.length} in all`;
}
