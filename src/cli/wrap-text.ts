/** Sentences in lines no longer than the terminal is wide, so that an indented text keeps its shape. */
import type { Terminal } from './terminal.ts';

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

/** Nobody reads a pipe: what goes there stays on one line, to be searched and cut. */
export function wrapFor(terminal: Terminal, text: string, indent: number): string[] {
  return terminal.isInteractive ? wrapText(text, Math.max(40, terminal.columns - indent)) : [text];
}
