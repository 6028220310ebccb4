import type { ContentBlock, Span } from './content-block.ts';
import { isDataTable, readTable } from './data-table.ts';
import { INLINE_ELEMENTS, type PageElement, type PageNode } from './page-tree.ts';
import { codeLanguageOf, preformattedTextOf } from './preformatted.ts';
import { SpanCollector, type SpanStyle } from './span-collector.ts';

/** Turns chosen subtrees into a flat list of blocks in reading order; both renderers and all filters use it. */
export function flattenContent(roots: readonly PageElement[]): ContentBlock[] {
  const walk = new FlattenWalk();
  for (const root of roots) walk.run(root);
  return walk.blocks;
}

interface List {
  readonly isOrdered: boolean;
  next: number;
}

class FlattenWalk {
  readonly blocks: ContentBlock[] = [];
  readonly #spans = new SpanCollector();
  readonly #lists: List[] = [];
  #style: SpanStyle = { isStrong: false, isEmphasis: false, isCode: false, href: undefined };
  #quoteDepth = 0;
  #marker: string | undefined;
  #blockKind: 'paragraph' | 'caption' | number = 'paragraph';
  #breaks = 0;

  run(root: PageElement): void {
    const stack: Array<PageNode | (() => void)> = [root];
    while (stack.length > 0) {
      const node = stack.pop();
      if (node === undefined) break;
      if (typeof node === 'function') {
        node();
        continue;
      }
      if (node.type === 'text') {
        if (node.data.trim() !== '') this.#breaks = 0;
        this.#spans.addText(node.data, this.#style);
        continue;
      }
      if (node.removed || SKIPPED.has(node.name)) continue;
      const leave = this.#enter(node);
      if (leave === 'done') continue;
      if (leave !== undefined) stack.push(leave);
      for (let index = node.children.length - 1; index >= 0; index -= 1) {
        const child = node.children[index];
        if (child !== undefined) stack.push(child);
      }
    }
    this.#flush();
  }

  /** Opens an element; returns what to do after its children, or `done` when they have been read already. */
  #enter(element: PageElement): (() => void) | 'done' | undefined {
    const { name } = element;
    if (name === 'br') return this.#addBreak();
    if (name === 'img' || name === 'amp-img') return this.#addImage(element);
    if (INLINE_ELEMENTS.has(name)) return this.#enterInline(element);
    this.#flush();
    switch (name) {
      case 'hr':
        this.#push({ kind: 'rule' });
        return 'done';
      case 'pre':
        this.#push({ kind: 'code', language: codeLanguageOf(element), code: preformattedTextOf(element) });
        return 'done';
      case 'table':
        if (!isDataTable(element)) return () => this.#flush();
        this.#push({ kind: 'table', ...readTable(element, (cell) => this.#readCell(cell)) });
        return 'done';
      case 'ul':
      case 'ol':
        return this.#enterList(element);
      case 'li':
        return this.#enterItem();
      case 'blockquote':
        this.#quoteDepth += 1;
        return () => {
          this.#flush();
          this.#quoteDepth -= 1;
        };
      case 'figcaption':
      case 'caption':
        return this.#enterBlock('caption');
      case 'dt':
      case 'summary':
        return this.#enterStyled({ ...this.#style, isStrong: true });
      case 'td':
      case 'th':
        return () => this.#flush();
    }
    if (/^h[1-6]$/.test(name)) return this.#enterBlock(Number(name[1]));
    return () => this.#flush();
  }

  #enterInline(element: PageElement): (() => void) | undefined {
    const { name, attributes } = element;
    const style = this.#style;
    if (name === 'a') {
      const href = attributes.href;
      return href === undefined ? undefined : this.#restyle({ ...style, href });
    }
    if (name === 'b' || name === 'strong') return this.#restyle({ ...style, isStrong: true });
    if (name === 'i' || name === 'em' || name === 'cite' || name === 'dfn') {
      return this.#restyle({ ...style, isEmphasis: true });
    }
    if (name === 'code' || name === 'kbd' || name === 'samp' || name === 'tt') {
      return this.#restyle({ ...style, isCode: true });
    }
    return undefined;
  }

  #restyle(style: SpanStyle): () => void {
    const before = this.#style;
    this.#style = style;
    return () => {
      this.#style = before;
    };
  }

  #enterStyled(style: SpanStyle): () => void {
    const restore = this.#restyle(style);
    return () => {
      this.#flush();
      restore();
    };
  }

  #enterBlock(kind: 'caption' | number): () => void {
    const before = this.#blockKind;
    this.#blockKind = kind;
    return () => {
      this.#flush();
      this.#blockKind = before;
    };
  }

  #enterList(element: PageElement): () => void {
    const start = Number.parseInt(element.attributes.start ?? '1', 10);
    this.#lists.push({ isOrdered: element.name === 'ol', next: Number.isNaN(start) ? 1 : start });
    return () => {
      this.#flush();
      this.#lists.pop();
      this.#marker = undefined;
    };
  }

  #enterItem(): () => void {
    const list = this.#lists.at(-1);
    this.#marker = '-';
    if (list?.isOrdered) {
      this.#marker = `${list.next}.`;
      list.next += 1;
    }
    return () => {
      this.#flush();
      this.#marker = undefined;
    };
  }

  #addBreak(): 'done' {
    this.#breaks += 1;
    // Two in a row are how old pages part their paragraphs.
    if (this.#breaks >= 2) this.#flush();
    else this.#spans.addBreak();
    return 'done';
  }

  #addImage(element: PageElement): 'done' {
    const { attributes } = element;
    const lazy = attributes['data-src'] ?? attributes['data-lazy-src'] ?? attributes['data-original'];
    const source = lazy ?? attributes.src ?? attributes['data-srcset']?.trim().split(/\s/)[0] ?? '';
    if (source !== '') this.#spans.addImage(source, attributes.alt ?? '', this.#style.href);
    return 'done';
  }

  #readCell(cell: PageElement): Span[] {
    const walk = new FlattenWalk();
    walk.run(cell);
    const spans = new SpanCollector();
    for (const block of walk.blocks) {
      if (block.kind === 'code') {
        spans.addText(block.code, { isStrong: false, isEmphasis: false, isCode: true, href: undefined });
      } else if (block.kind === 'table' || block.kind === 'rule') continue;
      else {
        for (const span of block.spans) {
          if (span.image !== undefined) spans.addImage(span.image.source, span.image.alt, span.href);
          else spans.addText(span.text, span);
        }
      }
      spans.addGap();
    }
    return spans.take();
  }

  #flush(): void {
    this.#breaks = 0;
    const spans = this.#spans.take();
    if (spans.length === 0) return;
    const kind = this.#blockKind;
    if (typeof kind === 'number') this.#push({ kind: 'heading', level: kind, spans });
    else this.#push({ kind, spans });
  }

  #push(content: DistributiveOmit<ContentBlock, 'quoteDepth' | 'listDepth' | 'marker'>): void {
    const place = { quoteDepth: this.#quoteDepth, listDepth: this.#lists.length, marker: this.#marker };
    this.blocks.push({ ...content, ...place });
    this.#marker = undefined;
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

const SKIPPED = new Set(['rp', 'rt', 'rtc']);
