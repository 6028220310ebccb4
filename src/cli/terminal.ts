/** What the terminal can do: colours only where a person looks, plain text everywhere else. */
export interface Terminal {
  readonly isInteractive: boolean;
  readonly columns: number;
  readonly style: Style;
  write(text: string): void;
}

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
  cyan(text: string): string;
}

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  green: [32, 39],
  yellow: [33, 39],
  red: [31, 39],
  cyan: [36, 39],
} as const;

function makeStyle(hasColour: boolean): Style {
  const paint = ([on, off]: readonly [number, number]) => {
    return (text: string): string => (hasColour ? `\u001b[${on}m${text}\u001b[${off}m` : text);
  };
  return {
    bold: paint(CODES.bold),
    dim: paint(CODES.dim),
    green: paint(CODES.green),
    yellow: paint(CODES.yellow),
    red: paint(CODES.red),
    cyan: paint(CODES.cyan),
  };
}

/**
 * NO_COLOR switches colours off (no-color.org), a pipe never gets any, and a dumb terminal (TERM=dumb) is
 * written to like a pipe: it would show the codes instead of obeying them.
 */
export function openTerminal(stream: NodeJS.WriteStream, wantsColour: boolean): Terminal {
  const isTerminal = stream.isTTY === true;
  // Asked only where colours are wanted: the answer is also no under NO_COLOR, which is no reason to be dumb.
  const isDumb = isTerminal && wantsColour && !stream.hasColors();
  const isInteractive = isTerminal && !isDumb;
  return {
    isInteractive,
    get columns() {
      return stream.columns ?? 100;
    },
    style: makeStyle(isInteractive && wantsColour),
    write: (text) => void stream.write(text),
  };
}
