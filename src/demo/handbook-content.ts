import type { Grammar } from './grammar.ts';
import { composeParagraph, composePhrase } from './grammar.ts';
import { createRandom } from './random.ts';

/** Chapters of the handbook of Wren, a small machine that keeps a household's weather. */
export const CHAPTERS: ReadonlyArray<{ readonly title: string; readonly topics: readonly string[] }> = [
  {
    title: 'First steps',
    topics: ['Unpacking', 'Choosing a windowsill', 'The first forecast', 'Winding the spring'],
  },
  {
    title: 'Daily use',
    topics: ['Reading the dial', 'Asking for rain', 'Postponing frost', 'Sharing a sunset'],
  },
  {
    title: 'Commands',
    topics: ['wren forecast', 'wren hush', 'wren wind', 'wren log', 'wren borrow', 'wren apologise'],
  },
  { title: 'Care', topics: ['Oil and feathers', 'Moulting', 'When it sulks', 'Storage over winter'] },
  { title: 'Reference', topics: ['Settings', 'Error songs', 'Glossary', 'Compatibility with owls'] },
];

export interface HandbookText {
  readonly introduction: string;
  readonly sections: ReadonlyArray<{ readonly heading: string; readonly text: string }>;
  readonly example: string;
  readonly options: ReadonlyArray<readonly [name: string, meaning: string]>;
}

export function writeTopic(topic: string, version: string): HandbookText {
  const random = createRandom(`handbook:${version}:${topic}`);
  return {
    introduction: composeParagraph(GRAMMAR, 'sentence', random, 2),
    sections: random.pickSome(HEADINGS, 2).map((heading) => ({
      heading,
      text: composeParagraph(GRAMMAR, 'sentence', random, 3),
    })),
    example: `$ wren ${composePhrase(GRAMMAR, 'command', random)}\n${composePhrase(GRAMMAR, 'answer', random)}`,
    options: random.pickSome(OPTIONS, 4),
  };
}

const HEADINGS = [
  'Before you begin',
  'How it works',
  'What may go wrong',
  'Good to know',
  'A worked example',
];

const OPTIONS: ReadonlyArray<readonly [string, string]> = [
  ['--gently', 'Do it, but so that nobody wakes.'],
  ['--until TIME', 'Stop at the given hour, or at tea, whichever is first.'],
  ['--room NAME', 'Limit the weather to one room.'],
  ['--loud', 'Sing the result instead of printing it.'],
  ['--dry-run', 'Say what would happen. Clouds excepted.'],
  ['--json', 'For those who prefer their weather in brackets.'],
];

const GRAMMAR: Grammar = {
  sentence: [
    'the {part} turns {manner} until {result}.',
    'place Wren {place} and wait until {result}.',
    'if the {part} is {state}, press it {manner} and count to {count}.',
    'since the last version the {part} is no longer {state} after {moment}.',
    'a {state} {part} is normal during {moment} and needs no attention.',
    'never lift Wren by its {part}: {result} only when it feels safe.',
    'the reading is correct to within {count} puddles.',
  ],
  part: ['spring', 'dial', 'left wing', 'beak', 'vane', 'brass ring', 'song box'],
  manner: ['clockwise', 'slowly', 'with one finger', 'twice', 'towards the window'],
  result: ['it hums', 'the dial settles', 'the barometer agrees', 'a small cloud appears', 'the song ends'],
  place: ['on the sill', 'near a cup of tea', 'out of the draught', 'where it can see the street'],
  state: ['warm', 'stuck', 'reluctant', 'polished', 'asleep'],
  count: ['three', 'five', 'eleven', 'forty'],
  moment: ['a thunderstorm', 'moulting', 'the shipping forecast', 'breakfast'],
  command: ['forecast --room kitchen', 'hush --until 7', 'wind --gently', 'log --json', 'apologise --loud'],
  answer: [
    'Light drizzle, clearing by cake.',
    'Hushed.',
    'The spring thanks you.',
    '[]',
    'Accepted, with reservations.',
  ],
};
