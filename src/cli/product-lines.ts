/** What a crawl has to say of products. */
import type { RunSummary } from '../control/runs/run-summary.ts';
import { formatCount } from './format.ts';
import type { Style } from './terminal.ts';

const PHRASES: ReadonlyArray<readonly [string, (count: number) => string]> = [
  ['new', () => 'new'],
  ['changed', () => 'changed'],
  ['unchanged', () => 'as they were'],
  ['outdated', () => 'left as they were: something newer is known'],
  ['lost', () => 'not on their pages any more'],
  ['partial', () => 'of them without something a product needs'],
  ['invalid', () => 'refused: what their pages say cannot be right'],
  [
    'failed',
    (count) => (count === 1 ? 'page on which the parser failed' : 'pages on which the parser failed'),
  ],
];
const BAD: ReadonlySet<string> = new Set(['lost', 'invalid', 'failed']);

export function productLines(
  { products }: RunSummary,
  style: Style,
  suggest: (command: string) => string,
): string[] {
  const told = PHRASES.flatMap(([kind, phrase]) => {
    const count = products[kind];
    return count === undefined ? [] : [{ kind, count, phrase: phrase(count) }];
  });
  if (told.length === 0) return [];
  const width = Math.max(...told.map(({ count }) => formatCount(count).length));
  return [
    `  ${style.bold('Products')}  ${style.dim(suggest(products.failed === undefined ? 'product list' : 'error list --category parse'))}`,
    ...told.map(({ kind, count, phrase }) => {
      const line = `    ${formatCount(count).padStart(width)}  ${phrase}`;
      return BAD.has(kind) ? style.yellow(line) : line;
    }),
    '',
  ];
}
