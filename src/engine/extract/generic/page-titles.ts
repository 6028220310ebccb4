/** What a page calls itself, looked up in its bytes: its title and its first headings. */
import { decodeHTML } from 'entities';
import { cleanLine } from '../values/clean-value.ts';

const MAX_BYTES = 4000;
const MAX_LENGTH = 500;
const MAX_HEADINGS = 3;

export function readTitle(html: Buffer): string | undefined {
  return readElement(html, '<title', 0)?.text;
}

export function readHeadings(html: Buffer): string[] {
  const headings: string[] = [];
  for (let at = 0; headings.length < MAX_HEADINGS; ) {
    const heading = readElement(html, '<h1', at);
    if (heading === undefined) break;
    if (heading.text !== '') headings.push(heading.text);
    at = heading.end;
  }
  return headings;
}

function readElement(html: Buffer, open: string, from: number): { text: string; end: number } | undefined {
  let start = html.indexOf(open, from);
  if (start === -1 && from === 0) start = html.indexOf(open.toUpperCase());
  if (start === -1) return undefined;
  const content = html.indexOf('>', start) + 1;
  if (content === 0) return undefined;
  const end = findEnd(html, content, open.slice(1));
  const inner = html.toString('utf8', content, end);
  const text = inner.includes('<') ? inner.replace(/<!--[\s\S]*?-->|<[^>]*>/g, ' ') : inner;
  return { text: cleanLine(text.includes('&') ? decodeHTML(text) : text, MAX_LENGTH), end };
}

function findEnd(html: Buffer, start: number, name: string): number {
  const limit = Math.min(html.length, start + MAX_BYTES);
  for (let at = html.indexOf('</', start); at !== -1 && at < limit; at = html.indexOf('</', at + 2)) {
    if (html.toString('latin1', at + 2, at + 2 + name.length).toLowerCase() === name) return at;
  }
  return Math.min(limit, start + MAX_LENGTH);
}
