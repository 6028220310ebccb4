import type { Grammar } from './grammar.ts';

export const TAGS = [
  'tea',
  'walking',
  'weather',
  'repairs',
  'bread',
  'trains',
  'letters',
  'birds',
  'winter',
  'neighbours',
] as const;

export type Tag = (typeof TAGS)[number];

export interface Author {
  readonly slug: string;
  readonly name: string;
  readonly about: string;
}

export const AUTHORS: readonly Author[] = [
  {
    slug: 'ottilie-brandt',
    name: 'Ottilie Brandt',
    about: 'Keeps the kettle, the calendar and, most days, her temper.',
  },
  {
    slug: 'henry-oduya',
    name: 'Henry Oduya',
    about: 'Walks to where the path ends and writes down what was there.',
  },
  {
    slug: 'maren-lisk',
    name: 'Maren Lisk',
    about: 'Bakes on Wednesdays. Was once on the radio, briefly, by accident.',
  },
];

/** The voice of the blog: unhurried, first person, mostly about small things. */
export const BLOG_GRAMMAR: Grammar = {
  title: [
    'On {pursuit}',
    'A short history of my {object}',
    'What the {object} taught me about {virtue}',
    'In praise of {pursuit}',
    'The {adjective} {object}',
    'Notes from {spot}',
    'Against {pursuit}',
    'How to lose a {object} in {spot}',
    '{number} kinds of {virtue}',
    'The {object} and I',
    'An apology to my {object}',
    'Learning {pursuit} at forty',
  ],
  sentence: [
    'I have been thinking about {pursuit}, mostly in {spot}.',
    'the {object} was {adjective} that morning, as {object-plural} often are after rain.',
    'my neighbour holds that {pursuit} is a matter of {virtue}; I hold my tongue.',
    'nobody tells you that {pursuit} takes a whole {stretch} and most of a {object}.',
    'there is a kind of {virtue} that only comes when the {object} has stopped working.',
    'by the time the water boiled, {event}.',
    'I wrote it down in {spot}, on the back of a {object} bill, while {event}.',
    'it rained, of course, and {event}.',
    'if you ask me about {pursuit}, I will say that {event}, and leave it at that.',
    'for a {stretch} I did nothing but watch the {object}, which did nothing back.',
    'the trick, if there is one, is to let the {object} be {adjective} and call it {virtue}.',
    'in the end we sat in {spot} and agreed that {pursuit} could wait for another {stretch}.',
    'what I like about {object-plural} is how little they ask.',
    'a {adjective} {object} is worth two {object-plural} and a {stretch} of advice.',
  ],
  heading: [
    'First, the {object}',
    'A {stretch} later',
    'What went wrong',
    'The {adjective} part',
    'Meanwhile, in {spot}',
    'Some {virtue}, at last',
    'A word about {pursuit}',
  ],
  comment: [
    'this is exactly what happened to my {object}, except that {event}.',
    'lovely. I read it in {spot} and missed my stop.',
    'have you tried {pursuit}? It did wonders for my {object}.',
    'I must disagree about {object-plural}, but the part about {virtue} made me ring my mother.',
    'more about the {object}, please.',
  ],
  pursuit: [
    'boiling water slowly',
    'writing letters by hand',
    'waiting for the late train',
    'mending a sleeve',
    'walking in light rain',
    'keeping sourdough alive',
    'naming the birds',
    'sharpening knives',
    'shelling peas',
    'borrowing ladders',
    'reading timetables',
    'winding the clock',
  ],
  object: [
    'kettle',
    'umbrella',
    'teapot',
    'bicycle',
    'stove',
    'notebook',
    'wardrobe',
    'radio',
    'garden gate',
    'breadknife',
    'blackbird',
    'lamp',
  ],
  'object-plural': [
    'kettles',
    'umbrellas',
    'bicycles',
    'radios',
    'gates',
    'teapots',
    'ladders',
    'timetables',
  ],
  adjective: [
    'stubborn',
    'borrowed',
    'quiet',
    'leaky',
    'second-hand',
    'forgiving',
    'lukewarm',
    'hopeful',
    'crooked',
    'early',
    'unreliable',
  ],
  virtue: ['patience', 'thrift', 'good cheer', 'attention', 'modesty', 'courage', 'tact', 'idleness'],
  spot: [
    'the scullery',
    'a waiting room',
    'the allotment',
    'carriage four',
    'the reading room',
    'the porch',
    'the queue at the bakery',
    'a borrowed kitchen',
  ],
  stretch: ['morning', 'winter', 'fortnight', 'Sunday', 'half-hour', 'season'],
  number: ['Three', 'Five', 'Seven', 'Eleven'],
  event: [
    'the post had come',
    'the cat had moved to the warm end',
    'the bells had started',
    'the light had gone',
    'someone had taken the good chair',
    'the snow had thought better of it',
    'the milk had turned',
  ],
};
