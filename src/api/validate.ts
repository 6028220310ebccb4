/** Validation at the door: what a handler is given has the form its contract says, and nothing else in it. */
import type { z } from 'zod';
import type { Endpoint } from '../contract/endpoint.ts';
import { explainIssue, explainUnknown } from './explain-issue.ts';
import { findTooMany, joinItems, openItems, type Parted, partItems } from './items-apart.ts';
import { findFaultyItems } from './long-lists.ts';
import { findFault } from './plain-values.ts';
import { Refusal } from './refusal.ts';
import { settleIssues } from './settle-issues.ts';
import { toCamelCase } from './snake-case.ts';

const MOST_ERRORS = 20;

export interface Given {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export function validate(endpoint: Endpoint, given: Given): Given {
  const parted = partItems(endpoint, given.body);
  refuseFaults(endpoint, given, parted);
  const errors: { path: string; message: string }[] = [];
  const rename = endpoint.alsoSnakeCase ? toCamelCase : (value: unknown): unknown => value;
  const envelope = endpoint.isBodyOptional && isNothing(given.body) ? {} : rename(parted.envelope);
  const body = joinItems(endpoint, envelope, parted, rename);
  const checked = {
    params: check('params', endpoint.params, given.params, errors),
    query: check('query', endpoint.query, rename(given.query), errors),
    body: check('body', openItems(endpoint), body, errors),
  };
  if (errors.length === 0) return checked;
  const [first] = errors;
  throw new Refusal('invalid', `${first?.path}: ${first?.message}`, {
    hint: hintFor(endpoint),
    errors: errors.slice(0, MOST_ERRORS),
  });
}

/** Where it is described what the request may have in it. */
function hintFor({ name }: Endpoint): string {
  return `/api/docs#${name} shows what this request takes`;
}

/** Before anything else looks at it. */
function refuseFaults(endpoint: Endpoint, { params, query }: Given, parted: Parted): void {
  const fault =
    findFault('params', params) ??
    findFault('query', query) ??
    findFault('body', withoutFree(endpoint, parted.envelope), endpoint.mostBodyValues) ??
    findTooMany(parted, endpoint.mostBodyValues);
  if (fault === undefined) return;
  const { path, message } = fault;
  throw new Refusal('invalid', `${path}: ${message}`, { hint: hintFor(endpoint), errors: [fault] });
}

/** What is made fit by the handler is bounded there as well. */
function withoutFree({ cleansItself }: Endpoint, body: unknown): unknown {
  if (cleansItself === undefined || typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !cleansItself.includes(name)));
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

function check(
  place: string,
  schema: z.ZodType | undefined,
  value: unknown,
  errors: { path: string; message: string }[],
): unknown {
  if (schema === undefined) {
    for (const name of Object.keys(value ?? {})) {
      errors.push({ path: `${place}.${name}`.slice(0, 200), message: explainUnknown(name, []) });
    }
    return place === 'body' ? undefined : {};
  }
  if (place === 'body' && value === undefined) {
    errors.push({ path: 'body', message: 'A JSON body is needed here' });
    return undefined;
  }
  // Asked only where the schema has no words of its own.
  const error = (issue: z.core.$ZodRawIssue): string => explainIssue(issue, place !== 'body');
  const faulty = findFaultyItems(schema, value, MOST_ERRORS, error);
  const whole = place === 'body' ? value : (value ?? {});
  const parsed = faulty.length > 0 ? undefined : schema.safeParse(whole, { error });
  if (parsed?.success) return parsed.data;
  for (const issue of settleIssues(parsed?.error.issues ?? faulty)) {
    errors.push({
      path: [place, ...issue.path.map(String)].join('.').slice(0, 200),
      message: issue.message.slice(0, 600),
    });
  }
  return undefined;
}
