import { hash } from 'node:crypto';
import { PageFacts } from './page-facts.ts';
import { PageScan } from './page-scan.ts';
import type { ParsedPage } from './parsed-page.ts';
import { simhashUtf8 } from './simhash.ts';

/** UTF-8 bytes (as `toUtf8Html` returns them) are scanned where they lie; a string is encoded first. */
export type HtmlSource = string | Buffer;

export interface ParseHtmlInput {
  readonly html: HtmlSource;
  /** The page's own address, after redirects. */
  readonly url: string;
  /** Value of the Content-Language header. */
  readonly contentLanguage?: string | undefined;
  /** Links kept; those beyond are only counted. */
  readonly maxLinks: number;
  /** Also which images it shows. */
  readonly collectImages?: boolean | undefined;
}

/**
 * Scanning is synchronous, so one scanner with its buffers serves every page of the process.
 */
const scan = new PageScan();

/** Reads an HTML page in one pass. Never throws for what a page contains; costs time linear in its size. */
export function parseHtml(input: ParseHtmlInput): ParsedPage {
  const facts = new PageFacts(input.maxLinks, input.collectImages);
  const { text, characterCount } = scan.run(toBytes(input.html), facts);
  return {
    ...facts.finish(input.url, input.contentLanguage),
    textLength: characterCount,
    contentHash: hash('sha256', text, 'buffer'),
    simhash: simhashUtf8(text),
  };
}

/** What a reader would see of a page, whitespace collapsed: the text that hash and SimHash are taken of. */
export function visibleText(html: HtmlSource): string {
  return scan.run(toBytes(html), new PageFacts(0)).text.toString('utf8');
}

function toBytes(html: HtmlSource): Buffer {
  return typeof html === 'string' ? Buffer.from(html, 'utf8') : html;
}
