/** From all that a schema holds against a value to what is told: one fault for each field, and sentences of them. */
import type { z } from 'zod';
import { isBeyond, MISSING, MOST_UNKNOWN, TYPES } from './explain-issue.ts';

type Issue = z.core.$ZodIssue;

/** What is told of all that a schema holds against a value: nothing that follows from something else that is told. */
export function settleIssues(issues: readonly Issue[]): readonly Issue[] {
  const byPlace = new Map<string, Issue[]>();
  for (const issue of issues.flatMap(flattenIssue)) {
    const place = JSON.stringify(issue.path.map(String));
    byPlace.set(place, [...(byPlace.get(place) ?? []), issue]);
  }
  return [...byPlace.values()].flatMap((here) => {
    const types = here.filter(({ code }) => code === 'invalid_type');
    // A text where a list belongs has a length too, and is not to be measured by it.
    if (types.length > 0) return types.slice(0, 1);
    const bounded = here.filter((issue) => !isBeyond(issue));
    return bounded.length > 0 ? bounded : here.slice(0, 1);
  });
}

/** The same as clauses of one sentence: `priority must be at most 10; there is no field "x" here`. */
export function describeIssues(issues: readonly Issue[], most = 3): string {
  const settled = settleIssues(issues).slice(0, most);
  return settled.map(describeIssue).join('; ');
}

function describeIssue({ code, path, message }: Issue): string {
  const at = (code === 'unrecognized_keys' ? path.slice(0, -1) : path).map(String).join('.');
  // Some have a whole sentence of their own, which names the field.
  if (!/^(?:must|is|has)\b/.test(message))
    return code === 'unrecognized_keys' && at !== '' ? `in ${at} ${message}` : message;
  return at === '' ? `it ${message}` : `${at} ${message}`;
}

/** With a full stop, unless it has an end already. */
export function endSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** One fault for each field: of a choice between forms those of the form that was meant, if it can be told. */
function flattenIssue(issue: Issue): readonly Issue[] {
  if (issue.code === 'unrecognized_keys') {
    const lines = issue.message.split('\n');
    return issue.keys.slice(0, MOST_UNKNOWN).map((key, index) => ({
      ...{ ...issue, keys: [key], path: [...issue.path, key] },
      message: lines[index] ?? issue.message,
    }));
  }
  if (issue.code !== 'invalid_union' || issue.message === MISSING) return [issue];
  const meant = issue.errors.find((form) => form.length > 0 && !form.some(isOtherType));
  if (meant !== undefined) {
    return meant.flatMap((inner) => flattenIssue({ ...inner, path: [...issue.path, ...inner.path] }));
  }
  const types = issue.errors.flatMap((form) => form.filter(isOtherType));
  const names = types.map((one) =>
    one.code === 'invalid_type' ? (TYPES[one.expected] ?? one.expected) : '',
  );
  return names.length < 2 ? [issue] : [{ ...issue, message: `must be ${[...new Set(names)].join(' or ')}` }];
}

function isOtherType({ code, path }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && path.length === 0;
}
