/**
 * A list of sites, as a stream: bytes in, seeds with their ranks out. Empty lines and # comments are passed
 * over; a bad line comes out as such, with its number and what is wrong, and the others go on.
 */
import { findPrivateHost } from '../frontier/seed-problems.ts';
import { readSeed, type Seed } from '../frontier/seeds.ts';
import { splitCells } from './csv-cells.ts';
import { type ListForm, recogniseForm, SAMPLE_LINES } from './list-form.ts';
import { MAX_LINE_BYTES, splitLines, type TextLine } from './text-lines.ts';
import { unpack } from './unpack.ts';

/** Whether private places may be named: all, none, or these origins. */
export type PrivateRule = boolean | ReadonlySet<string>;

export interface SeedRules {
  readonly stripTrailingSlash: boolean;
  readonly allowPrivate: PrivateRule;
}

export type SeedItem =
  | { readonly kind: 'seed'; readonly seed: Seed; readonly rank: number | undefined }
  | {
      readonly kind: 'bad';
      readonly number: number | undefined;
      readonly text: string;
      readonly reason: string;
    };

/** As many items at a time as came in together. */
export async function* readSeedList(
  chunks: AsyncIterable<Buffer>,
  rules: SeedRules,
): AsyncGenerator<SeedItem[]> {
  let sample: TextLine[] = [];
  let form: ListForm | undefined;
  for await (const lines of splitLines(unpack(chunks))) {
    const filled = lines.filter(({ text }) => text !== '' && !text.startsWith('#'));
    if (form !== undefined) {
      yield readItems(filled, form, rules);
      continue;
    }
    sample = sample.concat(filled);
    if (sample.length < SAMPLE_LINES) continue;
    form = recognise(sample);
    yield readItems(form.hasHeader ? sample.slice(1) : sample, form, rules);
  }
  if (form !== undefined) return;
  form = recognise(sample);
  yield readItems(form.hasHeader ? sample.slice(1) : sample, form, rules);
}

function recognise(sample: readonly TextLine[]): ListForm {
  return recogniseForm(sample.slice(0, SAMPLE_LINES).map(({ text }) => text));
}

function readItems(lines: readonly TextLine[], form: ListForm, rules: SeedRules): SeedItem[] {
  return lines.map((line) => {
    if (line.isTooLong) return badItem(line, `the line is longer than ${MAX_LINE_BYTES} bytes`);
    if (form.kind === 'plain') return readItem(line, line.text.replace(/^"(.*)"$/, '$1'), undefined, rules);
    const cells = splitCells(line.text, form.separator);
    // A lone cell is a site without a rank, whatever columns the others have.
    if (cells.length === 1) return readItem(line, cells[0] ?? '', undefined, rules);
    const rankText = form.rankColumn === undefined ? '' : (cells[form.rankColumn] ?? '');
    const rank = rankText === '' ? undefined : readRank(rankText);
    if (rank === 'bad') return badItem(line, `its rank is not a whole number from 1 to ${MAX_RANK}`);
    return readItem(line, cells[form.siteColumn] ?? '', rank, rules);
  });
}

/** The largest that the column holds; no list of sites is longer. */
export const MAX_RANK = 2_147_483_647;

function readRank(text: string): number | 'bad' {
  const rank = Number(text);
  return /^\d+$/.test(text) && rank >= 1 && rank <= MAX_RANK ? rank : 'bad';
}

function readItem(line: TextLine, site: string, rank: number | undefined, rules: SeedRules): SeedItem {
  const reading = readAllowedSeed(site, rules);
  return reading.kind === 'ok' ? { kind: 'seed', seed: reading.seed, rank } : badItem(line, reading.reason);
}

function badItem({ number, text }: TextLine, reason: string): SeedItem {
  return { kind: 'bad', number, text, reason };
}

/** A seed that may be crawled under these rules. */
export function readAllowedSeed(text: string, rules: SeedRules): ReturnType<typeof readSeed> {
  const reading = readSeed(text, rules.stripTrailingSlash);
  const { allowPrivate } = rules;
  if (reading.kind === 'bad' || allowPrivate === true) return reading;
  const { url } = reading.seed.candidate;
  if (allowPrivate !== false && allowPrivate.has(new URL(url).origin)) return reading;
  const reason = findPrivateHost(url);
  return reason === undefined ? reading : { kind: 'bad', reason };
}
