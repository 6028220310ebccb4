/** What a parser found on a page: the verdict, and each field with where it was found and how sure that is. */
import type { Extraction, FoundField, Verdict } from '../engine/extract/product-fields.ts';
import type { CommandContext } from './context.ts';
import { printHeading } from './field-list.ts';
import { inFieldOrder } from './field-order.ts';
import { printable, shorten } from './format.ts';
import { printTable } from './print-table.ts';
import { wrapFor } from './wrap-text.ts';

const SHORTEST_VALUE = 20;
const SHORTEST_EVIDENCE = 16;
const LONGEST_EVIDENCE = 60;
const INDENT = '  ';

const WORDS: Readonly<Record<Verdict, string>> = {
  valid: 'valid: what a product needs is there and plausible',
  partial: 'partial: it is a product, and something it needs is not there',
  invalid: 'invalid: what is there cannot be right, and would not be stored',
  none: 'none on this page',
};

export function printExtraction(context: CommandContext, extraction: Extraction): void {
  const { parser, version, verdict, problems, fields, failure, reason } = extraction;
  const by = `(parser ${parser}, version ${version})`;
  const tell = (text: string): void => {
    for (const line of wrapFor(context.out, printable(text), INDENT.length)) {
      context.printLine(`${INDENT}${line}`);
    }
  };
  if (failure !== undefined) {
    printHeading(context, `Product: the parser has failed ${by}`);
    tell(failure);
    return;
  }
  printHeading(context, `Product: ${WORDS[verdict]} ${by}`);
  if (reason !== undefined) tell(reason);
  const found = inFieldOrder<FoundField<unknown>>(fields);
  if (found.length > 0) {
    printTable(
      context,
      [
        { title: 'FIELD' },
        { title: 'VALUE', least: SHORTEST_VALUE },
        { title: 'SOURCE' },
        { title: 'SURE', align: 'right' },
        { title: 'READ FROM', least: SHORTEST_EVIDENCE, drop: 1 },
      ],
      found.map(([name, { value, source, confidence, evidence }]) => [
        ...[name, printable(showValue(value)), source, formatConfidence(confidence)],
        formatEvidence(evidence),
      ]),
      INDENT,
    );
  }
  for (const { field, code, message } of problems) tell(`! ${field} (${code}): ${message}`);
}

export function formatConfidence(confidence: number): string {
  return `${Math.round(confidence * 100)} %`;
}

export function formatEvidence(evidence: string | undefined): string {
  return printable(shorten(evidence ?? '-', LONGEST_EVIDENCE));
}

/** On one line, in words rather than in JSON where it can be. */
export function showValue(value: unknown): string {
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (value.every((each) => typeof each === 'string')) return value.join(' > ');
  const first = value[0] as { url?: string; name?: string; sku?: string } | undefined;
  const shown = first?.url ?? first?.name ?? first?.sku ?? JSON.stringify(first);
  return value.length === 1 ? `${shown}` : `${shown} … ${value.length} in all`;
}
