import type { ContentBlock, Span } from './content-block.ts';
import { escapeMarkdown, resolveImage, resolveLink } from './markdown-escape.ts';

/** Quotes and lists nested deeper than this are written at this depth: each level costs indent on every line. */
const MAX_NESTING = 12;

export function renderMarkdown(blocks: readonly ContentBlock[], title: string, baseUrl: string): string {
  const pieces: string[] = [];
  if (title !== '' && !startsWithTitle(blocks, title)) pieces.push(`# ${escapeLine(title)}`);
  let previous: ContentBlock | undefined;
  for (const block of blocks) {
    const body = renderBlock(block, baseUrl);
    if (body === '') continue;
    const isTight = previous !== undefined && isTightList(previous, block);
    const placed = placeBlock(body, block);
    if (isTight && pieces.length > 0) pieces.push(`${pieces.pop()}\n${placed}`);
    else pieces.push(placed);
    previous = block;
  }
  return pieces.join('\n\n');
}

function startsWithTitle(blocks: readonly ContentBlock[], title: string): boolean {
  const first = blocks[0];
  if (first?.kind !== 'heading' || first.level > 1) return false;
  return first.spans.map((span) => span.text).join('') === title;
}

function isTightList(previous: ContentBlock, block: ContentBlock): boolean {
  return (
    previous.listDepth > 0 &&
    block.listDepth > 0 &&
    block.marker !== undefined &&
    previous.quoteDepth === block.quoteDepth &&
    block.kind === 'paragraph'
  );
}

function renderBlock(block: ContentBlock, baseUrl: string): string {
  switch (block.kind) {
    case 'heading': {
      const text = renderSpans(block.spans, baseUrl).replace(/\n/g, ' ').trim();
      return text === '' ? '' : `${'#'.repeat(block.level)} ${text}`;
    }
    case 'paragraph':
      return renderSpans(block.spans, baseUrl).replace(/\n/g, '  \n');
    case 'caption': {
      const text = renderSpans(block.spans, baseUrl).replace(/\n/g, ' ');
      return text === '' || /[*[]/.test(text) ? text : `*${text}*`;
    }
    case 'code':
      return renderCode(block.code, block.language);
    case 'table':
      return renderTable(block.rows, block.hasHeader, baseUrl);
    case 'rule':
      return '---';
  }
}

/** A fence longer than any run of backticks inside: the code cannot close it. */
function renderCode(code: string, language: string | undefined): string {
  if (code === '') return '';
  let longest = 2;
  for (const run of code.matchAll(/`+/g)) longest = Math.max(longest, run[0].length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language ?? ''}\n${code}\n${fence}`;
}

function renderTable(
  rows: ReadonlyArray<ReadonlyArray<readonly Span[]>>,
  hasHeader: boolean,
  baseUrl: string,
): string {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (width === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const cellsOf = (row: ReadonlyArray<readonly Span[]> | undefined) =>
    Array.from({ length: width }, (_, index) => renderSpans(row?.[index] ?? [], baseUrl).replace(/\n/g, ' '));
  const body = hasHeader ? rows.slice(1) : rows;
  const header = cellsOf(hasHeader ? rows[0] : undefined);
  const rule = line(Array.from({ length: width }, () => '---'));
  return [line(header), rule, ...body.map((row) => line(cellsOf(row)))].join('\n');
}

function renderSpans(spans: readonly Span[], baseUrl: string): string {
  let text = '';
  for (const span of spans)
    text += span.image === undefined ? renderSpan(span, baseUrl) : renderImage(span, baseUrl);
  return text.trim();
}

function renderImage(span: Span, baseUrl: string): string {
  const source = span.image === undefined ? undefined : resolveImage(span.image.source, baseUrl);
  if (source === undefined) return '';
  return `![${escapeLine(span.image?.alt ?? '')}](${source})`;
}

/** Marks go inside the outer white space: `** bold**` would not be read as bold. */
function renderSpan(span: Span, baseUrl: string): string {
  const core = span.text.trim();
  if (core === '') return span.text;
  const before = span.text.slice(0, span.text.indexOf(core));
  const after = span.text.slice(before.length + core.length);
  let body = span.isCode ? renderInlineCode(core) : escapeMarkdown(core);
  if (span.isEmphasis && !span.isCode) body = `*${body}*`;
  if (span.isStrong && !span.isCode) body = `**${body}**`;
  const link = span.href === undefined ? undefined : resolveLink(span.href, baseUrl);
  if (link !== undefined) body = `[${body.replace(/\n/g, ' ')}](${link})`;
  return before + body + after;
}

function renderInlineCode(code: string): string {
  let longest = 0;
  for (const run of code.matchAll(/`+/g)) longest = Math.max(longest, run[0].length);
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return `${fence}${pad}${code.replace(/\n/g, ' ').replace(/\|/g, '\\|')}${pad}${fence}`;
}

function placeBlock(body: string, block: ContentBlock): string {
  const depth = Math.min(block.listDepth, MAX_NESTING);
  const indent = '    '.repeat(Math.max(0, depth - 1));
  let placed = body;
  if (block.marker !== undefined) {
    const marker = block.marker.padEnd(4);
    placed = `${indent}${marker}${body.replace(/\n/g, `\n${indent}    `)}`;
  } else if (depth > 0) placed = `${indent}    ${body.replace(/\n/g, `\n${indent}    `)}`;
  const quotes = '> '.repeat(Math.min(block.quoteDepth, MAX_NESTING));
  return quotes === '' ? placed : quotes + placed.replace(/\n/g, `\n${quotes}`);
}

function escapeLine(text: string): string {
  return escapeMarkdown(text.replace(/\s+/g, ' ').trim());
}
