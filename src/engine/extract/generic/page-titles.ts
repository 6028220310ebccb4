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
  const limit = Math.min(html.length, content + MAX_BYTES);
  const raw = html.toString('utf8', content, limit);
  const close = raw.toLowerCase().indexOf(`</${open.slice(1)}`);
  const inner = close === -1 ? raw.slice(0, MAX_LENGTH) : raw.slice(0, close);
  const text = decodeHTML(inner.replace(/<!--[\s\S]*?-->|<[^>]*>/g, ' '));
  return { text: cleanLine(text, MAX_LENGTH), end: content + Math.max(1, close) };
}
