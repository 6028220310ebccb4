/**
 * Long lists in a body, looked at before anything else is: a schema tells what is wrong with each of a hundred thousand
 * items, which takes longer than sending them. Here it ends at the first few.
 */
import { z } from 'zod';

/** Shorter ones are left to the schema as a whole. */
const LONG = 100;

/** The first faults of the long lists that are fields of the value; none: the schema has the last word. */
export function findFaultyItems(
  schema: z.ZodType,
  value: unknown,
  most: number,
  error?: z.core.$ZodErrorMap,
): z.core.$ZodIssue[] {
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return [];
  const issues: z.core.$ZodIssue[] = [];
  for (const [name, field] of Object.entries(schema.shape)) {
    const list: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
    const array = unwrap(field);
    if (!Array.isArray(list) || list.length <= LONG || array === undefined) continue;
    // How many there may be, first: that costs nothing to find out.
    const length = new z.ZodArray({ ...array.def, element: z.unknown() });
    issues.push(...issuesOf(length, list, [name], error));
    if (issues.length > 0) return issues;
    for (const [index, item] of list.entries()) {
      issues.push(...issuesOf(array.element, item, [name, index], error));
      if (issues.length >= most) return issues.slice(0, most);
    }
  }
  return issues;
}

function issuesOf(
  schema: z.core.$ZodType,
  value: unknown,
  at: readonly (string | number)[],
  error: z.core.$ZodErrorMap | undefined,
): z.core.$ZodIssue[] {
  const parsed = z.safeParse(schema, value, error === undefined ? {} : { error });
  return parsed.success
    ? []
    : parsed.error.issues.map((issue) => ({ ...issue, path: [...at, ...issue.path] }));
}

function unwrap(field: z.core.$ZodType): z.ZodArray | undefined {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodNullable) {
    return unwrap(field.unwrap());
  }
  return field instanceof z.ZodArray ? field : undefined;
}
