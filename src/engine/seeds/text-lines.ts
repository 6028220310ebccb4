/**
 * Bytes to numbered lines, in bounded memory: what is held is one chunk and one unfinished line, and a line
 * that never ends is cut off. All lines that end in a chunk come at once, because a promise for each of a
 * million lines costs more than splitting them.
 */
export interface TextLine {
  readonly number: number;
  readonly text: string;
  /** Longer than a line may be; the text is its beginning. */
  readonly isTooLong: boolean;
}

/** The longest URL and a dozen columns beside it. */
export const MAX_LINE_BYTES = 64 * 1024;

const LINE_FEED = 0x0a;
const NOTHING: Buffer = Buffer.alloc(0);

export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<TextLine[]> {
  let number = 0;
  let rest = NOTHING;
  let isSkipping = false;
  const takeLine = (bytes: Buffer, isTooLong: boolean): TextLine => {
    number += 1;
    return { number, text: decodeLine(bytes, number === 1), isTooLong };
  };
  for await (const chunk of chunks) {
    const lines: TextLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const piece = chunk.subarray(start, end);
      const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      if (!isSkipping) lines.push(takeLine(bytes.subarray(0, MAX_LINE_BYTES), bytes.length > MAX_LINE_BYTES));
      isSkipping = false;
      rest = NOTHING;
      start = end + 1;
    }
    if (!isSkipping) rest = Buffer.concat([rest, chunk.subarray(start)]);
    if (rest.length > MAX_LINE_BYTES) {
      lines.push(takeLine(rest.subarray(0, MAX_LINE_BYTES), true));
      rest = NOTHING;
      isSkipping = true;
    }
    if (lines.length > 0) yield lines;
  }
  if (rest.length > 0) yield [takeLine(rest, false)];
}

function decodeLine(bytes: Buffer, isFirst: boolean): string {
  const text = bytes.toString('utf8');
  return (isFirst ? text.replace(/^\ufeff/, '') : text).trim();
}
