/** What is wrong with the values of options, in the words of the API; of a number, with all that it may be. */
import { z } from 'zod';
import { explainIssue } from '../api/explain-issue.ts';
import { endSentence, settleIssues } from '../api/settle-issues.ts';
import { UsageError } from './exit.ts';

export interface OptionOf {
  readonly name: string;
  /** How many of what the contract counts in are one of what the option counts in. */
  readonly scale?: number;
}

/** The bounds are those of the contract. Throws a UsageError that names the option. */
export function parseOptions<T extends z.ZodObject>(
  schema: T | undefined,
  given: unknown,
  options: Readonly<Record<string, OptionOf>>,
): z.output<T> {
  if (schema === undefined) throw new Error('these options have no contract');
  const parsed = schema.safeParse(given, { error: (issue) => explainIssue(issue, false) });
  if (parsed.success) return parsed.data;
  const [issue] = settleIssues(parsed.error.issues);
  const field = String(issue?.path[0] ?? '');
  const { name = field, scale = 1 } = options[field] ?? {};
  const { message: said = '' } = issue ?? {};
  // Where the contract has words of its own, they say more.
  const isPlain = issue?.path.length === 1 && /^must be (?:at|more|less) \w+ -?[\d.]+$/.test(said);
  const message = (isPlain ? describeRange(schema.shape[field], scale) : undefined) ?? said;
  const reason = /^(?:must|is|has)\b/.test(message) ? `it ${message}` : message;
  throw new UsageError(endSentence(`The ${name} is not possible: ${reason}`));
}

function describeRange(field: unknown, scale: number): string | undefined {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable || field instanceof z.ZodDefault) {
    return describeRange(field.unwrap(), scale);
  }
  if (!(field instanceof z.ZodNumber)) return undefined;
  const { minValue, maxValue } = field;
  if (minValue === null || maxValue === null) return undefined;
  const [least, most] = [minValue / scale, maxValue / scale];
  if (!Number.isSafeInteger(least) || !Number.isSafeInteger(most)) return undefined;
  const kind = field.isInt && scale === 1 ? 'a whole number' : 'a number';
  return `must be ${kind} from ${least} to ${most}`;
}
