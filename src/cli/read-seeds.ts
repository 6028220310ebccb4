/** Seeds of a crawl, from the command line and from a file. A bad argument is refused; a bad line is told. */
import type { Seed } from '../engine/frontier/seeds.ts';
import { readAllowedSeed, type SeedRules } from '../engine/seeds/read-seed-list.ts';
import { BadSeeds, describeBadSeed } from './bad-seeds.ts';
import { UsageError } from './exit.ts';
import { openSeedInput } from './seed-input.ts';

export interface SeedsRead {
  readonly seeds: Seed[];
  /** One sentence for each of the first lines that are no URL, and one for the rest of them. */
  readonly badLines: string[];
}

export async function readSeeds(
  urls: readonly string[],
  file: string | undefined,
  rules: SeedRules,
): Promise<SeedsRead> {
  const seeds = new Map(readSeedArguments(urls, rules).map((seed) => [seed.key, seed]));
  const badLines: string[] = [];
  if (file !== undefined) {
    const bad = new BadSeeds(file, (sentence) => badLines.push(sentence));
    for await (const items of (await openSeedInput(file)).items(rules)) {
      for (const item of items) {
        if (item.kind === 'seed') seeds.set(item.seed.key, item.seed);
        else bad.add(item);
      }
    }
    bad.finish();
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

/** Whoever types a seed is there to correct it: a bad one is refused before anything starts. */
export function readSeedArguments(urls: readonly string[], rules: SeedRules): Seed[] {
  return urls.map((url) => {
    const reading = readAllowedSeed(url, rules);
    if (reading.kind === 'bad') throw new UsageError(describeBadSeed(url, reading.reason), EXAMPLE);
    return reading.seed;
  });
}

const EXAMPLE = 'give one such as https://example.com';
