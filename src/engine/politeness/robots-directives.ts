/**
 * What a page asks of those who fetched it: robots metas and X-Robots-Tag headers. Directives for everyone and
 * for us add up and the strictest wins; those for other agents are not ours.
 */
import { readWebDate } from '../frontier/sitemap-date.ts';

export interface RobotsDirectivesInput {
  readonly metas: ReadonlyArray<{ readonly name: string; readonly content: string }>;
  /** Every X-Robots-Tag value, each as received: a proxy may have joined several with commas. */
  readonly headerValues: readonly string[];
  readonly productToken: string;
  readonly now: Date;
}

export interface RobotsDirectives {
  /** Keep it out of search and exports. */
  readonly isNoindex: boolean;
  /** Follow none of its links. */
  readonly isNofollow: boolean;
  /** Keep no copy of its body. */
  readonly isNoarchive: boolean;
}

export function readRobotsDirectives(input: RobotsDirectivesInput): RobotsDirectives {
  const found = { isNoindex: false, isNofollow: false, isNoarchive: false };
  for (const meta of input.metas) {
    if (isForUs(meta.name, input.productToken)) applyDirectives(meta.content, input, found);
  }
  for (const value of input.headerValues) applyDirectives(value, input, found);
  return found;
}

type Found = { -readonly [key in keyof RobotsDirectives]: boolean };

/** Longer than any honest list; a page may hold megabytes in an attribute. */
const MAX_VALUE_CHARS = 4096;

/** Names that take a value after a colon, so that what stands before it is no agent. */
const VALUED_DIRECTIVES = new Set([
  'unavailable_after',
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
]);

function applyDirectives(value: string, input: RobotsDirectivesInput, found: Found): void {
  const parts = value.slice(0, MAX_VALUE_CHARS).split(',');
  // An agent's name holds until the next one: `otherbot: noindex, nofollow` is all otherbot's.
  let isOurs = true;
  for (let index = 0; index < parts.length; index += 1) {
    let part = (parts[index] ?? '').trim();
    for (let prefix = readPrefix(part); prefix !== undefined; prefix = readPrefix(part)) {
      part = prefix.rest;
      if (prefix.name === 'unavailable_after') {
        // Dates hold commas of their own: `Wed, 25 Jun 2030` and `Jun 25, 2030`.
        while (/^\s*\d/.test(parts[index + 1] ?? '')) {
          index += 1;
          part = `${part}, ${(parts[index] ?? '').trim()}`;
        }
        const until = readExpiry(part);
        if (isOurs && until !== undefined && until <= input.now) found.isNoindex = true;
      }
      if (VALUED_DIRECTIVES.has(prefix.name)) part = '';
      else if (FLAGS.has(prefix.name)) part = `${prefix.name} ${part}`;
      else isOurs = isForUs(prefix.name, input.productToken);
    }
    if (isOurs) applyFlags(part, found);
  }
}

function readPrefix(part: string): { name: string; rest: string } | undefined {
  const match = /^([^\s:]+)\s*:/.exec(part);
  if (match?.[1] === undefined) return undefined;
  return { name: match[1].toLowerCase(), rest: part.slice(match[0].length).trim() };
}

function isForUs(name: string, productToken: string): boolean {
  const lowerName = name.trim().toLowerCase();
  return lowerName === 'robots' || lowerName === '*' || lowerName === productToken.toLowerCase();
}

/** A zone nobody knows (CET is none to ECMAScript) is read as UTC: hours off, but the day stands. */
function readExpiry(text: string): Date | undefined {
  return readWebDate(text) ?? readWebDate(text.replace(/\s+\(?[a-z]{2,5}\)?$/i, ''));
}

const FLAGS = new Map<string, (found: Found) => void>([
  [
    'noindex',
    (found) => {
      found.isNoindex = true;
    },
  ],
  [
    'nofollow',
    (found) => {
      found.isNofollow = true;
    },
  ],
  [
    'noarchive',
    (found) => {
      found.isNoarchive = true;
    },
  ],
  [
    'nocache',
    (found) => {
      found.isNoarchive = true;
    },
  ],
  [
    'none',
    (found) => {
      found.isNoindex = true;
      found.isNofollow = true;
    },
  ],
]);

/** Commas separate directives, but pages are written with blanks and semicolons too. */
function applyFlags(part: string, found: Found): void {
  for (const word of part.split(/[\s;]+/)) FLAGS.get(word.toLowerCase())?.(found);
}
