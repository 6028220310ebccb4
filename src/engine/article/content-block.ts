/** A run of text in one style. Line breaks are `\n`; an image is a span without text. */
export interface Span {
  readonly text: string;
  readonly isStrong: boolean;
  readonly isEmphasis: boolean;
  readonly isCode: boolean;
  /** As written in the page. */
  readonly href: string | undefined;
  readonly image: { readonly source: string; readonly alt: string } | undefined;
}

interface BlockPlace {
  readonly quoteDepth: number;
  /** 0 outside lists. */
  readonly listDepth: number;
  /** On the first block of a list item: `-` or its number with a dot. */
  readonly marker: string | undefined;
}

export type ContentBlock = BlockPlace &
  (
    | { readonly kind: 'heading'; readonly level: number; readonly spans: readonly Span[] }
    | { readonly kind: 'paragraph'; readonly spans: readonly Span[] }
    | { readonly kind: 'caption'; readonly spans: readonly Span[] }
    | { readonly kind: 'code'; readonly language: string | undefined; readonly code: string }
    | {
        readonly kind: 'table';
        readonly rows: ReadonlyArray<ReadonlyArray<readonly Span[]>>;
        readonly hasHeader: boolean;
      }
    | { readonly kind: 'rule' }
  );

/** Text without any style. */
function plainSpan(text: string): Span {
  return { text, isStrong: false, isEmphasis: false, isCode: false, href: undefined, image: undefined };
}

export function headingOf(text: string): ContentBlock {
  return {
    kind: 'heading',
    level: 1,
    spans: [plainSpan(text)],
    quoteDepth: 0,
    listDepth: 0,
    marker: undefined,
  };
}

export function paragraphOf(text: string): ContentBlock {
  return { kind: 'paragraph', spans: [plainSpan(text)], quoteDepth: 0, listDepth: 0, marker: undefined };
}

function textOfSpans(spans: readonly Span[]): string {
  let text = '';
  for (const span of spans) text += span.text;
  return text;
}

/** What a reader of plain text sees of a block. */
export function textOfBlock(block: ContentBlock): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
    case 'caption':
      return textOfSpans(block.spans);
    case 'code':
      return block.code;
    case 'table':
      return block.rows
        .map((row) => row.map((cell) => textOfSpans(cell).replace(/\n/g, ' ')).join(' | '))
        .join('\n');
    case 'rule':
      return '';
  }
}

/** Share of a block's text that lies in links. */
export function linkShareOf(block: ContentBlock): number {
  if (block.kind === 'code' || block.kind === 'rule') return 0;
  const spans = block.kind === 'table' ? block.rows.flat(2) : block.spans;
  let text = 0;
  let link = 0;
  for (const span of spans) {
    text += span.text.length;
    if (span.href !== undefined) link += span.text.length;
  }
  return text === 0 ? 0 : link / text;
}
