/** Reads URLs that somebody names. There may be ten thousand of them: others are let in between. */
import { setImmediate as letOthersIn } from 'node:timers/promises';
import { MAX_URL_LENGTH } from '../../engine/frontier/normalize-url.ts';
import type { Seed } from '../../engine/frontier/seeds.ts';
import { type PrivateRule, readAllowedSeed } from '../../engine/seeds/read-seed-list.ts';
import { hideUserinfo } from '../../platform/redact-url.ts';

/** Of anything that is told one by one. */
export const MOST_TOLD = 100;
const MOST_SHOWN_CHARS = 300;
/** Read at a stretch: a few milliseconds, of many short ones and of few long ones alike. */
const STRETCH_CHARS = 50_000;
const CHARS_FOR_EACH = 250;

export interface NamedUrl {
  readonly url: string;
  /** 3 high, 2 normal, 1 low. */
  readonly priority: number;
  /** Links from a seed. */
  readonly depth: number;
}

export interface RefusedUrl {
  readonly index: number;
  readonly url: string;
  readonly reason: string;
}

export interface ReadUrl {
  readonly index: number;
  /** As it was named. */
  readonly text: string;
  readonly seed: Seed;
}

export async function readNamedUrls(
  urls: readonly NamedUrl[],
  { isSeed, allowPrivate }: { readonly isSeed: boolean; readonly allowPrivate: PrivateRule },
) {
  const rules = { stripTrailingSlash: false, allowPrivate };
  const read: ReadUrl[] = [];
  const refused: RefusedUrl[] = [];
  let refusedCount = 0;
  let stretch = 0;
  for (const [index, { url, priority, depth }] of urls.entries()) {
    stretch += CHARS_FOR_EACH + url.length;
    if (stretch > STRETCH_CHARS) {
      stretch = 0;
      await letOthersIn();
    }
    const reading = url.length > MAX_URL_LENGTH ? TOO_LONG : readAllowedSeed(url, rules);
    if (reading.kind === 'ok') {
      const { seed } = reading;
      const candidate = { ...seed.candidate, priority, depth, isSeed };
      read.push({ index, text: url, seed: { ...seed, candidate } });
      continue;
    }
    refusedCount += 1;
    if (refused.length < MOST_TOLD) refused.push(refuse(index, url, reading.reason));
  }
  return { read, refused, refusedCount };
}

const TOO_LONG = { kind: 'bad', reason: `it is longer than ${MAX_URL_LENGTH} characters` } as const;

/** Told without user and password: answers are stored, and shown to others. */
export function refuse(index: number, text: string, reason: string): RefusedUrl {
  const url = hideUserinfo(text).slice(0, MOST_SHOWN_CHARS);
  return { index, url, reason: reason.slice(0, MOST_SHOWN_CHARS) };
}
