import { expect, it } from 'vitest';
import { openTerminal } from '../../src/cli/terminal.ts';

function stream(isTTY: boolean, hasColours: boolean): NodeJS.WriteStream {
  return { isTTY, hasColors: () => hasColours, columns: 80 } as unknown as NodeJS.WriteStream;
}

it.each([
  ['a terminal is drawn on, in colour', stream(true, true), true, { isInteractive: true, hasColour: true }],
  [
    'a terminal under NO_COLOR is drawn on without',
    stream(true, false),
    false,
    { isInteractive: true, hasColour: false },
  ],
  [
    'a dumb terminal is written to like a pipe',
    stream(true, false),
    true,
    { isInteractive: false, hasColour: false },
  ],
  ['a pipe gets plain text', stream(false, true), true, { isInteractive: false, hasColour: false }],
])('%s', (_title, to, wantsColour, expected) => {
  const terminal = openTerminal(to, wantsColour);
  const hasColour = terminal.style.red('x') !== 'x';
  expect({ isInteractive: terminal.isInteractive, hasColour }).toEqual(expected);
});
