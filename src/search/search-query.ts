/**
 * What people type into a search field. Words, all of which are wanted; "words in quotation marks" that follow each
 * other; -words that must not be there. Nothing in it can be wrong: whatever is none of these is read as words, and
 * what has no letter and no digit is left out.
 */
export interface SearchTerm {
  /** In lower case, composed, without quotation marks. */
  readonly text: string;
  /** The words follow each other. */
  readonly isPhrase: boolean;
}

export interface SearchQuery {
  readonly wanted: readonly SearchTerm[];
  readonly unwanted: readonly SearchTerm[];
}

export const MOST_QUERY_CHARS = 200;
/** More are not looked at: a query is words, not a text. */
export const MOST_TERMS = 16;

// An opening quotation mark without a closing one is none.
const TERM = /(-?)(?:["“”„«]([^"“”„«»]*)["“”„«»]|(\S+))/gu;
const WORD = /[\p{L}\p{N}]/u;

export function parseSearchQuery(text: string): SearchQuery {
  const wanted: SearchTerm[] = [];
  const unwanted: SearchTerm[] = [];
  for (const [, minus, phrase, word] of text.slice(0, MOST_QUERY_CHARS).normalize('NFC').matchAll(TERM)) {
    if (wanted.length + unwanted.length >= MOST_TERMS) break;
    const isPhrase = phrase !== undefined && /\S\s+\S/u.test(phrase.trim());
    const term = { text: tidy(phrase ?? word ?? ''), isPhrase };
    if (WORD.test(term.text)) (minus === '-' ? unwanted : wanted).push(term);
  }
  return { wanted, unwanted };
}

/** Quotation marks and backslashes mean something to search engines; to people they mean nothing within a word. */
function tidy(text: string): string {
  return text
    .replace(/["“”„«»\\\u0000-\u001f\u007f-\u009f]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** The same query as people would write it: for cursors, and to tell what was searched for instead. */
export function writeSearchQuery({ wanted, unwanted }: SearchQuery): string {
  const write = ({ text, isPhrase }: SearchTerm): string => (isPhrase ? `"${text}"` : text);
  return [...wanted.map(write), ...unwanted.map((term) => `-${write(term)}`)].join(' ');
}
