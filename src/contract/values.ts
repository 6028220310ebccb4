/** The small pieces that requests and answers are made of. */
import { z } from 'zod';

/** Query strings and paths are text: digits become a number, anything else is left to be refused. */
export function numberInText(lowest: number, highest: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? readDigits(value) : value),
    z.int().min(lowest).max(highest),
  );
}

/** More digits than a number can hold are a number nevertheless: one that is too large, or too small. */
const BEYOND = 10 ** 16;

function readDigits(text: string): number {
  return Math.max(-BEYOND, Math.min(BEYOND, Number(text)));
}

export const rowId = z.int().positive();
export const rowIdInText = numberInText(1, Number.MAX_SAFE_INTEGER);

/** `?isGone=true` */
export const flagInText = z.enum(['true', 'false']).transform((text) => text === 'true');

/** A time in an answer. Rows carry Date objects, JSON turns them into text. */
export const time = z.iso.datetime().describe('ISO 8601, UTC');

/** A time in a request: with a zone, or it would mean another moment on another machine. */
export const timeInText = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

export const domainStatus = z
  .enum(['pending', 'active', 'exhausted', 'blocked', 'unreachable'])
  .meta({ id: 'DomainStatus' });

/** A name as people write it; control finds the domain that is meant. */
export const domainName = z.string().min(1).max(300).describe('The name of a domain, such as example.com');
export const domainParams = z.strictObject({ domain: domainName });
export const idParams = z.strictObject({ id: rowIdInText });

/** No control characters, which no name has and the database refuses, and nothing else that ends a line. */
const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/;

/** A line that somebody types. */
export function lineOfText(longest: number) {
  return z.string().max(longest).regex(ONE_LINE, 'must be one line of text');
}

/** The same where the space around it means nothing: what is left must be something. */
export function trimmedLine(longest: number) {
  return z.string().regex(ONE_LINE, 'must be one line of text').trim().min(1).max(longest);
}

/** Text that may come from a crawled page: shown as text, never as markup. */
export const crawledText = z.string().describe('As the site wrote it: text, never markup');
