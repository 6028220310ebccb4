/** Sentences in lines no longer than the terminal is wide, so that an indented text keeps its shape. */
import type { Terminal } from './terminal.ts';

const MIN_WIDTH = 20;

/** Lines of at most `width` characters; a word longer than that has a line of its own. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line === '') line = word;
    else if (line.length + 1 + word.length <= width) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

/**
 * Nobody reads a pipe: what goes there stays on one line, to be searched and cut. On a terminal even a word that is
 * too long for a line, as URLs are, is broken.
 */
export function wrapFor(terminal: Terminal, text: string, indent: number): string[] {
  if (!terminal.isInteractive) return [text];
  const width = Math.max(MIN_WIDTH, terminal.columns - indent);
  return wrapText(text, width).flatMap((line) => line.match(new RegExp(`.{1,${width}}`, 'gsu')) ?? ['']);
}
