/** A block of lines at the foot of the terminal that is redrawn in place; other output goes above it. */
import { visibleWidth } from './format.ts';
import type { Terminal } from './terminal.ts';

export class LiveLines {
  readonly #terminal: Terminal;
  #drawn: string[] = [];
  #lastHeight = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  draw(lines: readonly string[]): void {
    const width = this.#terminal.columns;
    // A line that wraps would make the next redraw start in the wrong place.
    this.#drawn = lines.map((line) => (visibleWidth(line) < width ? line : cut(line, width - 1)));
    this.#terminal.write(`${this.#up()}${this.#drawn.map((line) => `\u001b[2K${line}\n`).join('')}\u001b[J`);
    this.#lastHeight = this.#drawn.length;
  }

  printAbove(line: string): void {
    this.#terminal.write(`${this.#up()}\u001b[J${line}\n`);
    this.#lastHeight = 0;
    this.draw(this.#drawn);
  }

  clear(): void {
    if (this.#lastHeight === 0) return;
    this.#terminal.write(`${this.#up()}\u001b[J`);
    this.#lastHeight = 0;
    this.#drawn = [];
  }

  #up(): string {
    return this.#lastHeight === 0 ? '' : `\u001b[${this.#lastHeight}A\r`;
  }
}

function cut(line: string, width: number): string {
  const plain = line.replace(/\u001b\[\d+m/g, '');
  return [...plain].slice(0, width).join('');
}
