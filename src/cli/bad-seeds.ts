/** What is said of seeds that are none: the first ones each, the rest as a number. */
import { formatCount, printable } from './format.ts';

/** A file that is no list of sites at all is told by its first lines. */
const BAD_SEEDS_SHOWN = 20;

export class BadSeeds {
  readonly #place: string;
  readonly #say: (sentence: string) => void;
  #count = 0;

  constructor(place: string, say: (sentence: string) => void) {
    this.#place = place;
    this.#say = say;
  }

  add({ number, text, reason }: { number: number | undefined; text: string; reason: string }): void {
    this.#count += 1;
    if (this.#count > BAD_SEEDS_SHOWN) return;
    const line = number === undefined ? '' : `:${number}`;
    this.#say(`${this.#place}${line}: ${describeBadSeed(text, reason)}`);
  }

  /** When all have been added. */
  finish(): void {
    const rest = this.#count - BAD_SEEDS_SHOWN;
    if (rest === 1) this.#say(`${this.#place}: 1 more line is not a URL that can be crawled either.`);
    if (rest > 1)
      this.#say(`${this.#place}: ${formatCount(rest)} more lines are not URLs that can be crawled either.`);
  }
}

export function describeBadSeed(text: string, reason: string): string {
  return `"${showSeed(text)}" is not a URL that can be crawled: ${printable(reason)}.`;
}

const SHOWN_LENGTH = 100;

/** What was given, as far as it helps to find it: no password, nothing that steers the terminal. */
function showSeed(text: string): string {
  const shown = printable(text.slice(0, 1000).replace(/(\/\/)[^/?#\s]*@|^[^/?#\s]*:[^/?#\s]*@/, '$1***@'));
  return shown.length > SHOWN_LENGTH ? `${shown.slice(0, SHOWN_LENGTH)}…` : shown;
}
