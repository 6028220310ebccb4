/** The plainest sitemap: one URL a line. Lines that are none are passed over. */
import { MAX_LOC_CHARS, resolveLocation, type SitemapEntry } from './sitemap-entry.ts';

/** A file whose first lines hold no URL is prose, or something else altogether. */
const MAX_LINES_BEFORE_URL = 100;

export class SitemapTextReader {
  entries: SitemapEntry[] = [];
  hasRoot = false;
  readonly #baseUrl: string;
  #linesBeforeUrl = 0;
  #rest = '';

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  get isHopeless(): boolean {
    return !this.hasRoot && this.#linesBeforeUrl > MAX_LINES_BEFORE_URL;
  }

  write(text: string): void {
    const lines = (this.#rest + text).split(/[\r\n]+/);
    // An endless line is no URL: remember that it was too long, not what it said.
    this.#rest = (lines.pop() ?? '').slice(0, MAX_LOC_CHARS + 1);
    for (const line of lines) this.#readLine(line);
  }

  /** The last line may lack its end, unless the text was cut: then it may be half a URL. */
  end(isWhole: boolean): void {
    if (isWhole) this.#readLine(this.#rest);
    this.#rest = '';
  }

  #readLine(line: string): void {
    // trim() takes a byte order mark for a space too.
    const written = line.trim();
    if (written === '') return;
    // Only what is absolute: any word of prose would resolve as a relative URL.
    const loc = /^https?:\/\//i.test(written) ? resolveLocation(written, this.#baseUrl) : undefined;
    if (loc !== undefined) {
      this.hasRoot = true;
      this.entries.push({ kind: 'url', loc });
    } else if (!this.hasRoot) {
      this.#linesBeforeUrl += 1;
    }
  }
}
