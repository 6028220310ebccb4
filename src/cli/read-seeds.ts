/** Seeds from the command line and from a file. A bad argument is refused; a bad line in a file is told. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { readSeed, type Seed } from '../engine/frontier/seeds.ts';
import { errorCode } from '../platform/errors.ts';
import { UsageError } from './exit.ts';
import { formatCount, printable } from './format.ts';

export interface SeedsRead {
  readonly seeds: Seed[];
  /** One sentence for each of the first lines that are no URL, and one for the rest of them. */
  readonly badLines: string[];
}

export async function readSeeds(
  urls: readonly string[],
  file: string | undefined,
  stripTrailingSlash: boolean,
): Promise<SeedsRead> {
  const seeds = new Map<string, Seed>();
  const badLines: string[] = [];
  let badCount = 0;
  for (const url of urls) {
    const reading = readSeed(url, stripTrailingSlash);
    if (reading.kind === 'bad') {
      throw new UsageError(
        `"${showText(url)}" is not a URL that can be crawled: ${reading.reason}.`,
        EXAMPLE,
      );
    }
    seeds.set(reading.seed.key, reading.seed);
  }
  if (file !== undefined) {
    for await (const { number, text } of readLines(file)) {
      const reading = readSeed(text, stripTrailingSlash);
      if (reading.kind === 'ok') seeds.set(reading.seed.key, reading.seed);
      else if (++badCount <= BAD_LINES_SHOWN)
        badLines.push(
          `${file}:${number}: "${showText(text)}" is not a URL that can be crawled: ${reading.reason}.`,
        );
    }
  }
  if (badCount > BAD_LINES_SHOWN) {
    badLines.push(`${file}: ${formatCount(badCount - BAD_LINES_SHOWN)} more lines are not URLs either.`);
  }
  if (seeds.size === 0) {
    const what =
      file === undefined
        ? 'Nothing to crawl: no URL was given.'
        : `Nothing to crawl: ${file} holds no usable URL.`;
    throw new UsageError([...badLines, what].join('\n'), EXAMPLE);
  }
  return { seeds: [...seeds.values()], badLines };
}

/** A file that is no list of URLs at all is told by its first lines. */
const BAD_LINES_SHOWN = 20;

/** What was given, as far as it helps to find it: no password, nothing that steers the terminal. */
function showText(text: string): string {
  return printable(text.replace(/(\/\/)[^/?#\s]*@/, '$1***@')).slice(0, 100);
}

const EXAMPLE = 'give one such as https://example.com';

/** Lines with something on them; empty ones and # comments are passed over. */
async function* readLines(file: string): AsyncGenerator<{ number: number; text: string }> {
  const input = file === '-' ? process.stdin : createReadStream(file, 'utf8');
  let number = 0;
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      const text = line.replace(/^\ufeff/, '').trim();
      if (text !== '' && !text.startsWith('#')) yield { number, text };
    }
  } catch (error) {
    const code = errorCode(error);
    const why = code === 'ENOENT' ? 'there is no such file' : (code ?? String(error));
    throw new UsageError(`The seeds file ${file} cannot be read: ${why}.`, 'check its name and rights');
  }
}
