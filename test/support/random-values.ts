/** Values made from the schemas of the document, by a seed: mostly as described, often just beside it. */
import type { JsonSchema, OpenApiDocument } from '../../src/api/openapi/types.ts';

/** Text that has meant something to somebody's database, browser, shell or parser. */
export const NASTY_TEXTS: readonly string[] = [
  ...["' or 1=1 --", "'; drop table users; --", '%', '\\', '$1', '<img src=x onerror=alert(1)>', '{{7*7}}'],
  ...['../../etc/passwd', '\u0000', 'a\u0000b', '\ud800', '\u202e', '\ufeff', '\u{1f4a9}', 'x'.repeat(5000)],
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1e309',
    '9007199254740993',
    '99999999999999999999',
    'null',
    '__proto__',
    'toString',
  ],
  ...[
    'http://[::1',
    'http://a:b@c/',
    'file:///etc/passwd',
    '9999-12-31T23:59:59.999+23:59',
    '0000-01-01T00:00:00Z',
  ],
  ...['(', '(a+)+$', '.', 'é'.repeat(60), `${'a.'.repeat(120)}com`],
];

export interface Dice {
  /** From 0 up to `below`. */
  roll(below: number): number;
  pick<T>(from: readonly T[]): T;
}

export function makeDice(seed: number): Dice {
  let state = seed >>> 0;
  const roll = (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  return {
    roll,
    pick: (from) => {
      const one = from[roll(from.length)];
      if (one === undefined) throw new Error('There is nothing to pick from.');
      return one;
    },
  };
}

const WRONG_TYPES: readonly unknown[] = [null, true, -1, 1.5, 2 ** 53, '', 'text', [], [[]], {}, { a: 1 }];

export function randomValue(document: OpenApiDocument, schema: JsonSchema, dice: Dice, depth = 0): unknown {
  if (dice.roll(12) === 0) return dice.pick(WRONG_TYPES);
  if (schema.$ref !== undefined) {
    const shape = document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {};
    return randomValue(document, shape, dice, depth + 1);
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return randomValue(document, dice.pick(choices), dice, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return dice.pick(schema.enum);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  switch (type) {
    case 'object':
      return randomObject(document, schema, dice, depth);
    case 'array':
      return Array.from({ length: depth > 4 ? 0 : dice.roll(4) }, () =>
        randomValue(document, schema.items ?? {}, dice, depth + 1),
      );
    case 'integer':
    case 'number':
      return randomNumber(schema, dice);
    case 'boolean':
      return dice.roll(2) === 0;
    case 'null':
      return null;
    case 'string':
      return randomText(schema, dice);
    default:
      return dice.pick(WRONG_TYPES);
  }
}

function randomObject(
  document: OpenApiDocument,
  schema: JsonSchema,
  dice: Dice,
  depth: number,
): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const isLeftOut = schema.required?.includes(name) ? dice.roll(15) === 0 : dice.roll(2) === 0;
    if (!isLeftOut) given[name] = randomValue(document, inner, dice, depth + 1);
  }
  if (dice.roll(15) === 0) given[dice.pick(['nonsense', 'id', 'toString', ''])] = 1;
  return given;
}

function randomNumber(schema: JsonSchema, dice: Dice): number {
  const low = typeof schema.minimum === 'number' ? schema.minimum : -5;
  const high = typeof schema.maximum === 'number' ? schema.maximum : Number.MAX_SAFE_INTEGER;
  return dice.pick([low, high, low - 1, high + 1, 0, low + dice.roll(100)]);
}

function randomText(schema: JsonSchema, dice: Dice): string {
  if (dice.roll(2) === 0) return dice.pick(NASTY_TEXTS);
  if (schema.format === 'date-time') return `20${10 + dice.roll(40)}-0${1 + dice.roll(9)}-15T00:00:00Z`;
  if (schema.format === 'uri') return `https://site-${dice.roll(5)}.example/`;
  return dice.pick(['a', 'admin', `https://site-${dice.roll(5)}.example/p`, `site-${dice.roll(5)}.example`]);
}
