/** `forager price read`: the price that a text tells, as the parsers read it. Pure: no database, no network. */
import { createInterface } from 'node:readline';
import { type Command, Option } from 'commander';
import type { PriceHints, PriceReading } from '../engine/extract/values/read-price.ts';
import { LineWriter, outputClosed } from '../platform/standard-output.ts';
import { EXIT_FAILED, QuietExit } from './exit.ts';
import { printable } from './format.ts';

const EXAMPLES = `
Examples:
  forager price read '1.299,00 €'
      → 1299 EUR
  forager price read --json 'Was £120.00 now £60.00'
      → {"amount":"60","currency":"GBP","currencyText":"£"}
  forager price read --language sv '199 kr' '10 - 20 kr'
  forager price read --json - < prices.txt > readings.jsonl

Amounts are decimal digits, exact. A text without a price is told on standard error, the others
are still read, and the exit code is 1. Of standard input each line has its own line in the
result, "no price" or, with --json, null where it tells none, and the exit code is 0.`;

interface ReadOptions {
  readonly currency?: string;
  readonly language?: string;
  readonly country?: string;
  readonly decimalSeparator?: '.' | ',';
  readonly json?: true;
}

export function addPriceCommand(program: Command): void {
  const price = program.command('price').description('look at prices the way Forager does');
  price
    .command('read')
    .description('print the amount and the currency that each text tells')
    .argument('<texts...>', 'texts with a price; "-" reads them from standard input, one a line')
    .option('--currency <code>', 'the currency where the text does not tell it: a code or a sign')
    .option('--language <tag>', 'the language of the page, such as de or pt-BR')
    .option('--country <code>', 'the country of the shop, such as CA')
    .addOption(new Option('--decimal-separator <mark>', 'what begins the fraction').choices(['.', ',']))
    .addHelpText('after', EXAMPLES)
    .action(async (texts: string[], _options: unknown, command: Command) => {
      const badCount = await printReadings(texts, command.optsWithGlobals<ReadOptions>());
      if (badCount > 0) throw new QuietExit(EXIT_FAILED);
    });
}

async function printReadings(texts: readonly string[], options: ReadOptions): Promise<number> {
  const { readPrice } = await import('../engine/extract/values/read-price.ts');
  const { currency, language, country, decimalSeparator } = options;
  const hints: PriceHints = { currency, language, country, decimalSeparator };
  const out = new LineWriter();
  let badCount = 0;
  for await (const { text, isLine } of readTexts(texts)) {
    if (outputClosed.aborted) break;
    const price = readPrice(text, hints);
    if (options.json) await out.write(JSON.stringify(price ?? null));
    else if (price !== undefined) await out.write(describeReading(price));
    else if (isLine) await out.write('no price');
    if (price !== undefined || isLine) continue;
    badCount += 1;
    // What was printed so far comes first, so that the two streams read in order on a terminal.
    await out.flush();
    process.stderr.write(`forager: "${printable(text.slice(0, 200))}": no price in it\n`);
  }
  await out.flush();
  return badCount;
}

interface GivenText {
  readonly text: string;
  /** Of standard input: the result has a line for it in any case, also for an empty one. */
  readonly isLine: boolean;
}

async function* readTexts(texts: readonly string[]): AsyncGenerator<GivenText> {
  for (const text of texts) {
    if (text !== '-') {
      yield { text, isLine: false };
      continue;
    }
    const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
    for await (const line of lines) yield { text: line.replace(/^\ufeff/, ''), isLine: true };
  }
}

function describeReading({ amount, high, currency, currencyText, isFrom, isFree }: PriceReading): string {
  const span = high === undefined ? amount : `${amount} - ${high}`;
  const money = currency ?? printable(currencyText ?? '');
  const notes = [isFrom === true ? '(from)' : '', isFree === true ? '(free)' : ''];
  return [span, money, ...notes].filter((part) => part !== '').join(' ');
}
