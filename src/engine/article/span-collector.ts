import type { Span } from './content-block.ts';

export interface SpanStyle {
  readonly isStrong: boolean;
  readonly isEmphasis: boolean;
  readonly isCode: boolean;
  readonly href: string | undefined;
}

/** Gathers the inline content of one block: collapses white space, joins runs of one style, trims the ends. */
export class SpanCollector {
  #spans: Span[] = [];
  #endsWithSpace = true;

  addText(data: string, style: SpanStyle): void {
    let text = data.replace(/[\s\u00a0]+/g, ' ').replace(/[\u200b\u00ad\ufeff]/g, '');
    if (this.#endsWithSpace && text.startsWith(' ')) text = text.slice(1);
    if (text === '') return;
    this.#endsWithSpace = text.endsWith(' ');
    this.#append({ ...style, text, image: undefined });
  }

  addBreak(): void {
    if (this.#spans.length === 0) return;
    this.#append({
      text: '\n',
      isStrong: false,
      isEmphasis: false,
      isCode: false,
      href: undefined,
      image: undefined,
    });
    this.#endsWithSpace = true;
  }

  addImage(source: string, alt: string, href: string | undefined): void {
    this.#spans.push({
      text: '',
      isStrong: false,
      isEmphasis: false,
      isCode: false,
      href,
      image: { source, alt },
    });
    this.#endsWithSpace = false;
  }

  /** A space where two pieces of text would otherwise run together. */
  addGap(): void {
    this.addText(' ', { isStrong: false, isEmphasis: false, isCode: false, href: undefined });
  }

  #append(span: Span): void {
    const last = this.#spans.at(-1);
    const isSameStyle =
      last !== undefined &&
      last.image === undefined &&
      last.isStrong === span.isStrong &&
      last.isEmphasis === span.isEmphasis &&
      last.isCode === span.isCode &&
      last.href === span.href;
    if (isSameStyle) this.#spans[this.#spans.length - 1] = { ...last, text: last.text + span.text };
    else this.#spans.push(span);
  }

  /** The spans gathered so far, without white space at the ends of lines; starts anew. */
  take(): Span[] {
    const spans = this.#spans;
    this.#spans = [];
    this.#endsWithSpace = true;
    const kept: Span[] = [];
    for (const [index, span] of spans.entries()) {
      const next = spans[index + 1];
      let text = span.text.replace(/ *\n */g, '\n');
      if (kept.length === 0) text = text.trimStart();
      if (next === undefined || next.text.startsWith('\n')) text = text.trimEnd();
      if (text !== '' || span.image !== undefined) kept.push({ ...span, text });
    }
    const last = kept.at(-1);
    if (last !== undefined && last.image === undefined && last.text.trim() === '') kept.pop();
    return kept;
  }
}
