/**
 * What is wrong with a request, in plain words. A schema that has words of its own for it is not asked here: they know
 * more. Said of a field whose path stands before it: `body.limit: must be at most 200`.
 */
import type { z } from 'zod';
import { editDistance } from '../control/domains/similar-names.ts';

export const MISSING = 'is missing';
/** Of the fields of one object that nobody knows: more are not told about. */
export const MOST_UNKNOWN = 20;

/** `isText`: it came in an address, where everything is text. */
export function explainIssue(issue: z.core.$ZodRawIssue, isText: boolean): string {
  if (issue.input === undefined && issue.code !== 'custom') return MISSING;
  switch (issue.code) {
    case 'invalid_type':
      return explainType(isWhole(issue.inst) ? 'int' : issue.expected, issue.input, isText);
    case 'too_small':
      return isBeyond(issue)
        ? 'is too small a number'
        : `must ${explainBound(issue.origin, Number(issue.minimum), issue.inclusive === false ? 'more than' : 'at least')}`;
    case 'too_big':
      return isBeyond(issue)
        ? 'is too large a number'
        : `must ${explainBound(issue.origin, Number(issue.maximum), issue.inclusive === false ? 'less than' : 'at most')}`;
    case 'invalid_format':
      return explainFormat(issue.format, issue.pattern);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      // A line for each: only here are the fields known that there are, and flattenIssue takes them apart again.
      return issue.keys
        .slice(0, MOST_UNKNOWN)
        .map((key) => explainUnknown(key, fieldsOf(issue.inst)))
        .join('\n');
    case 'invalid_value':
      return explainChoice(issue.values ?? []);
    case 'invalid_union':
      return 'has none of the forms that are known here';
    case 'invalid_key':
      return 'has a name in it that is not allowed here';
    case 'invalid_element':
      return 'has something in it that is not allowed here';
    default:
      return 'is not allowed here';
  }
}

export const TYPES: Readonly<Record<string, string>> = {
  ...{ string: 'text', number: 'a number', int: 'a whole number', boolean: 'true or false' },
  ...{ array: 'a list', object: 'an object', record: 'an object', null: 'null' },
};

function explainType(expected: string, input: unknown, isText: boolean): string {
  const wanted = TYPES[expected] ?? expected;
  const given = typeOf(input);
  if (given === 'a number' && expected === 'int') return `must be ${wanted}`;
  // More than one of the same name makes a list of them.
  if (isText && given === 'a list') return 'must be given once';
  return isText ? `must be ${wanted}` : `must be ${wanted}, not ${given}`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'boolean' ? String(value) : (TYPES[typeof value] ?? typeof value);
}

function explainBound(origin: string, bound: number, words: string): string {
  if (origin === 'string') {
    return bound === 1 && words === 'at least'
      ? 'not be empty'
      : `have ${words} ${count(bound, 'character')}`;
  }
  if (origin === 'array' || origin === 'set') return `have ${words} ${count(bound, 'item')}`;
  return `be ${words} ${bound}`;
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

function explainFormat(format: string, pattern: string | undefined): string {
  if (format === 'datetime') return 'must be a time with its zone, such as 2026-01-31T12:00:00Z';
  if (format === 'date') return 'must be a date such as 2026-01-31';
  if (format === 'regex' && pattern !== undefined) return `must have the form ${pattern}`;
  return `must be ${/^[aeiou]/.test(format) ? 'an' : 'a'} ${format}`;
}

function explainChoice(values: readonly unknown[]): string {
  const [only] = values;
  if (values.length === 1) return `must be ${String(only)}`;
  if (values.length === 2) return `must be ${values.join(' or ')}`;
  return `must be one of ${values.join(', ')}`;
}

/** Whole in itself, however it goes on: as a line, or as one of several clauses. */
export function explainUnknown(name: string, known: readonly string[]): string {
  const near = findNear(name, known);
  const shown = JSON.stringify(name.slice(0, 60));
  return `there is no field ${shown} here${near === undefined ? '' : ` (did you mean "${near}"?)`}`;
}

/** The one that differs by a letter or two, or has the same words in it. */
function findNear(name: string, known: readonly string[]): string | undefined {
  const given = name.slice(0, 100).toLowerCase();
  const limit = given.length < 4 ? 1 : 2;
  const rated = known.map((one) => {
    const field = one.toLowerCase();
    const isPart = given.length > 3 && (field.includes(given) || (field.length > 3 && given.includes(field)));
    return { one, distance: isPart ? limit : editDistance(given, field, limit) };
  });
  return rated.filter(({ distance }) => distance <= limit).sort((a, b) => a.distance - b.distance)[0]?.one;
}

interface Definition {
  readonly shape?: object;
  readonly format?: string;
}

function definitionOf(schema: unknown): Definition | undefined {
  return (schema as { readonly _zod?: { readonly def?: Definition } } | undefined)?._zod?.def;
}

function fieldsOf(schema: unknown): string[] {
  return Object.keys(definitionOf(schema)?.shape ?? {});
}

function isWhole(schema: unknown): boolean {
  return definitionOf(schema)?.format === 'safeint';
}

/** No number reaches that far; where there are bounds, one of them is exceeded too and says more. */
export function isBeyond(issue: z.core.$ZodIssue | z.core.$ZodRawIssue): boolean {
  return (
    (issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER) ||
    (issue.code === 'too_small' && issue.minimum === Number.MIN_SAFE_INTEGER)
  );
}
