import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { explainIssue } from '../../src/api/explain-issue.ts';
import { Refusal } from '../../src/api/refusal.ts';
import { describeIssues, endSentence } from '../../src/api/settle-issues.ts';
import { validate } from '../../src/api/validate.ts';
import { endpoint } from '../../src/contract/endpoint.ts';
import { metricList } from '../../src/contract/series.ts';
import {
  flagInText,
  lineOfText,
  numberInText,
  rowIdInText,
  timeInText,
  trimmedLine,
} from '../../src/contract/values.ts';

const door = {
  name: 'tryThis',
  method: 'POST',
  path: '/',
  group: 'docs',
  allows: 'public',
  summary: '',
} as const;

function errorsOf(place: 'query' | 'body', schema: z.ZodType, value: unknown): string[] {
  const given = { params: {}, query: {}, body: undefined, [place]: value };
  try {
    validate(endpoint({ ...door, [place]: schema }), given);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(error.hint).toContain('/api/docs#tryThis');
    return (error.errors ?? []).map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

const inBody = (field: z.ZodType, value: unknown): string[] =>
  errorsOf('body', z.strictObject({ it: field }), { it: value });
const inQuery = (field: z.ZodType, value: unknown): string[] =>
  errorsOf('query', z.strictObject({ it: field }), { it: value });

describe('what is wrong with a field of a body', () => {
  test.each<[string, z.ZodType, unknown]>([
    ['is missing', z.string(), undefined],
    ['is missing', z.enum(['a', 'b']), undefined],
    ['is missing', z.union([z.string(), z.int()]), undefined],
    ['must be text, not a number', z.string(), 7],
    ['must be text, not null', z.string(), null],
    ['must be a whole number, not text', z.int(), '7'],
    ['must be a whole number', z.int(), 1.5],
    ['must be a number, not true', z.number(), true],
    ['must be true or false, not text', z.boolean(), 'true'],
    ['must be a list, not an object', z.array(z.string()), {}],
    ['must be an object, not a list', z.strictObject({}), []],
    ['must not be empty', z.string().min(1), ''],
    ['must have at least 8 characters', z.string().min(8), 'short'],
    ['must have at most 3 characters', z.string().max(3), 'long'],
    ['must have at least 1 item', z.array(z.string()).min(1), []],
    ['must have at most 2 items', z.array(z.int()).max(2), [1, 2, 3]],
    ['must have at most 2 items', z.array(z.int()).max(2), Array(500).fill(1)],
    ['must be at least 1', z.int().min(1), 0],
    ['must be at most 3', z.int().max(3), 9],
    ['must be more than 0', z.int().positive(), 0],
    ['must be less than 5', z.number().lt(5), 5],
    ['must be one of a, b, c', z.enum(['a', 'b', 'c']), 'd'],
    ['must be all', z.literal('all'), 'some'],
    ['must be a multiple of 5', z.number().multipleOf(5), 7],
    ['must have the form /^[a-z]+$/', z.string().regex(/^[a-z]+$/), 'A'],
    ['says it itself', z.string().regex(/^[a-z]+$/, 'says it itself'), 'A'],
    ['says it itself', z.string().refine(() => false, 'says it itself'), 'A'],
    ['must be a time with its zone, such as 2026-01-31T12:00:00Z', timeInText, 'yesterday'],
    ['must be text or an object', z.union([z.string(), z.strictObject({})]), 7],
    ['must be at most 10', z.int().min(1).max(10), 1e308],
    ['must be at least 1', z.int().min(1).max(10), -1e308],
    ['is too large a number', z.int().positive(), 1e20],
    [
      'must be a list, not text',
      z
        .array(z.enum(['a', 'b']))
        .min(1)
        .max(7),
      'task.completed',
    ],
    ['must be a list, not an object', z.array(z.string()).min(1), { length: 0 }],
    ['must be one line of text', lineOfText(9), 'a\u2028b'],
    ['must be one line of text', lineOfText(9), 'a\u2029'],
    ['must not be empty', trimmedLine(9), ' \u00a0 '],
  ])('%s', (message, schema, value) => {
    expect(inBody(schema, value)).toEqual([`body.it: ${message}`]);
  });

  test('of two forms the one that was meant is told about', () => {
    const item = z.union([z.string(), z.strictObject({ url: z.string(), priority: z.int().max(3) })]);
    expect(inBody(z.array(item), ['x', { url: 'x', priority: 9 }])).toEqual([
      'body.it.1.priority: must be at most 3',
    ]);
    expect(inBody(z.array(item), [{ url: 'x', priority: 1, prio: 2 }])).toEqual([
      'body.it.0.prio: there is no field "prio" here (did you mean "priority"?)',
    ]);
  });
});

describe('fields that nobody knows', () => {
  const schema = z.strictObject({ isGone: z.string().optional(), crawledUntil: z.string().optional() });

  test('are told one by one, with the one that may be meant', () => {
    expect(errorsOf('body', schema, { x: 1, gone: 2, isgone: 3, crawledUntl: 4 })).toEqual([
      'body.x: there is no field "x" here',
      'body.gone: there is no field "gone" here (did you mean "isGone"?)',
      'body.isgone: there is no field "isgone" here (did you mean "isGone"?)',
      'body.crawledUntl: there is no field "crawledUntl" here (did you mean "crawledUntil"?)',
    ]);
  });

  test('are told where nothing is known at all', () => {
    const given = { params: {}, query: { page: '2' }, body: undefined };
    expect(() => validate(endpoint(door), given)).toThrow('query.page: there is no field "page" here');
  });
});

describe('what is wrong with a field of an address, where everything is text', () => {
  test.each<[string, z.ZodType, unknown]>([
    ['must be a whole number', numberInText(1, 200), '1.5'],
    ['must be a whole number', numberInText(1, 200), 'abc'],
    ['must be at most 200', numberInText(1, 200), '1000'],
    ['must be at most 200', numberInText(1, 200), '9'.repeat(400)],
    ['must be at least 1', numberInText(1, 200), '-99999999999999999999'],
    ['is too large a number', rowIdInText, '9999999999999999'],
    ['is too large a number', rowIdInText, '9'.repeat(400)],
    ['must be true or false', flagInText, 'yes'],
    ['must be given once', z.string(), ['a', 'b']],
    ['must be given once', numberInText(1, 2), ['1', '2']],
    ['is missing', timeInText, undefined],
  ])('%s', (message, schema, value) => {
    expect(inQuery(schema, value)).toEqual([`query.it: ${message}`]);
  });

  test('a metric that there is not: those that there are', () => {
    const [message = ''] = inQuery(metricList, 'pages,foo');
    expect(message).toMatch(/^query\.it\.1: There is no such metric; there are pages, fetches, .*frontier/);
    expect(message).toMatch(/status:4xx and so on$/);
  });
});

describe('as a sentence', () => {
  const schema = z
    .strictObject({
      priority: z.int().max(10).optional(),
      maxRetries: z.int().optional(),
      window: z.strictObject({ start: z.string() }).optional(),
    })
    .refine(({ priority }) => priority !== 3, { error: 'priority 3 is taken', path: ['priority'] });
  const sentence = (value: unknown): string => {
    const parsed = schema.safeParse(value, { error: (issue) => explainIssue(issue, false) });
    return endSentence(describeIssues(parsed.error?.issues ?? []));
  };

  test.each<[string, unknown]>([
    ['priority must be at most 10.', { priority: 11 }],
    ['priority must be at most 10.', { priority: 1e308 }],
    ['there is no field "__proto__" here.', JSON.parse('{"__proto__": 1}')],
    ['there is no field "maxRetrie" here (did you mean "maxRetries"?).', { maxRetrie: 1 }],
    ['in window there is no field "x" here.', { window: { start: '', x: 1 } }],
    ['window.start is missing.', { window: {} }],
    ['priority 3 is taken.', { priority: 3 }],
    ['it must be an object, not a list.', []],
    [
      'priority must be at most 10; maxRetries must be a whole number, not text.',
      { priority: 11, maxRetries: '1' },
    ],
  ])('%s', (expected, value) => {
    expect(sentence(value)).toBe(expected);
  });

  test('one that ends by itself gets no second end', () => {
    expect(endSentence('who is there?')).toBe('who is there?');
  });
});
