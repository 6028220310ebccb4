/** What a bot hands in, and what makes two of them the same. */
import { createHash } from 'node:crypto';
import type { submitResult } from '../../contract/bots.ts';
import type { BodyOf } from '../../contract/endpoint.ts';

export type Submission = BodyOf<typeof submitResult>;

/** Of all it says about the job. What is left out and what is null are one, and so is the order of fields. */
export function digestOf({ bot_id: _bot, job_id: _job, lock_token: _token, ...content }: Submission): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(inOrder(content)))
    .digest();
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, item]) => item !== null && item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, item]) => [name, inOrder(item)]);
}
