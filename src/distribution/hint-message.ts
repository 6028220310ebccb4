/** A hint as it travels: JSON with a version. Whatever arrives may have been written by anybody. */
import { z } from 'zod';
import { MOST_TASKS_IN_HINT, type WorkHint, type WorkKind } from './distribution.ts';

const VERSION = 1;
/** Far more than any hint of ours has: what is longer is not even parsed. */
export const MOST_MESSAGE_BYTES = 64 * 1024;

const id = z.int().positive();
const message = z.object({
  v: z.literal(VERSION),
  kind: z.enum(['crawl', 'parse']),
  domainId: id,
  taskIds: z.array(id).max(MOST_TASKS_IN_HINT),
  priority: z.int().min(1).max(10),
});

export type ReadHint =
  | { readonly kind: 'hint'; readonly hint: WorkHint }
  | { readonly kind: 'malformed'; readonly reason: string };

/** Under 2 kB, whatever its numbers are. */
export function writeHint({ kind, domainId, taskIds, priority }: WorkHint): string {
  return JSON.stringify({
    v: VERSION,
    kind,
    domainId,
    taskIds: taskIds.slice(0, MOST_TASKS_IN_HINT),
    priority,
  });
}

/** `expected`: what the queue it came through is for. */
export function readHint(text: string, expected?: WorkKind): ReadHint {
  if (text.length > MOST_MESSAGE_BYTES) return malformed(`it has ${text.length} characters`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return malformed('it is not JSON');
  }
  return readHintValue(value, expected);
}

export function readHintValue(value: unknown, expected?: WorkKind): ReadHint {
  const version = versionOf(value);
  if (typeof version === 'number' && version !== VERSION) {
    return malformed(`it has version ${version}, and this program knows ${VERSION}`);
  }
  const read = message.safeParse(value);
  if (!read.success) {
    const issue = read.error.issues[0];
    return malformed(`its shape is wrong: ${issue?.path.join('.') || 'all of it'}: ${issue?.message ?? ''}`);
  }
  const { kind, domainId, taskIds, priority } = read.data;
  if (expected !== undefined && kind !== expected) {
    return malformed(`it is about work of kind ${kind}, in a queue for ${expected}`);
  }
  return { kind: 'hint', hint: { kind, domainId, taskIds, priority } };
}

function versionOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'v' in value ? value.v : undefined;
}

function malformed(reason: string): ReadHint {
  return { kind: 'malformed', reason };
}
