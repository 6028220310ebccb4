/** Text of a page made fit to be kept: without markup, without what cannot be seen, bounded, and a string of its own. */
import { decodeHTMLStrict } from 'entities';

/** How much more than is kept is looked at: markup and spaces go, the rest is cut. */
const SLACK = 4;
const MOST_SLACK = 20_000;
/** A tag, a comment or a declaration; a lone "<" with a space or a digit behind it is one in the text. */
const MARKUP = /<!--[\s\S]*?(?:-->|$)|<\/?[a-zA-Z][^<>]*>|<![a-zA-Z[][^<>]*>/g;
const HIDDEN_ELEMENTS = /<(script|style|template)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi;
const BREAKS = /<\/?(?:br|p|div|li|ul|ol|h[1-6]|tr|table|section|article|blockquote|dt|dd)\b[^<>]*>/gi;
const LOOKS_ESCAPED = /&(?:[a-zA-Z][a-zA-Z0-9]{1,31}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});/;
/** Control characters, soft hyphens, zero-width and bidirectional ones, byte order marks, tags, lone surrogates. */
const UNSEEN =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}/gu;

/** What may have to go: markup, references, what cannot be seen, spaces other than single ones. */
const UNCLEAN =
  /[<&\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ud800-\udfff\ufeff\ufff9-\ufffb]| {2}/;

/** One line: a name, a brand, an alternative text. Empty where nothing is left. */
export function cleanLine(text: string, maxLength: number): string {
  if (isClean(text, maxLength)) return ownCopy(text.trim(), maxLength);
  const clean = withoutMarkup(bounded(text, maxLength)).replace(UNSEEN, '').replace(/\s+/g, ' ').trim();
  return ownCopy(clean, maxLength);
}

/** Text of several lines: breaks stay, an empty line at most between two. */
export function cleanProse(text: string, maxLength: number): string {
  if (isClean(text, maxLength)) return ownCopy(text.trim(), maxLength);
  const clean = withoutMarkup(bounded(text, maxLength))
    .replace(UNSEEN, '')
    .replace(/\r\n?|[\u0085\u2028\u2029\v\f]/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return ownCopy(clean, maxLength);
}

/** Most texts are: a look at them is far cheaper than all that would be done to them. */
function isClean(text: string, maxLength: number): boolean {
  return text.length <= maxLength && !UNCLEAN.test(text);
}

function bounded(text: string, maxLength: number): string {
  const most = Math.min(maxLength * SLACK, maxLength + MOST_SLACK);
  return text.length > most ? text.slice(0, most) : text;
}

/** What was escaped once too often is unescaped, and what then turns out to be markup goes as well. */
function withoutMarkup(text: string): string {
  let result = stripTags(text);
  for (let round = 0; round < 2 && LOOKS_ESCAPED.test(result); round += 1) {
    result = stripTags(decodeHTMLStrict(result));
  }
  return result;
}

function stripTags(text: string): string {
  if (!text.includes('<')) return text;
  return withoutOpenTag(text.replace(HIDDEN_ELEMENTS, ' ').replace(BREAKS, '\n').replace(MARKUP, ''));
}

/** A tag with attributes that the text ends in, as where it was cut. */
function withoutOpenTag(text: string): string {
  const at = text.lastIndexOf('<');
  if (at === -1 || !/^<[a-zA-Z][a-zA-Z0-9-]*[\s/][^<>]*=/.test(text.slice(at))) return text;
  return text.slice(0, at);
}

/** Never a slice of the page, which would keep all of it in memory, and never half of a pair of surrogates. */
function ownCopy(text: string, maxLength: number): string {
  if (text.length <= maxLength) return Buffer.from(text, 'utf8').toString('utf8');
  const last = text.charCodeAt(maxLength - 1);
  const length = last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength;
  return Buffer.from(text.slice(0, length).trimEnd(), 'utf8').toString('utf8');
}
