/** Hints as payloads of notifications: several in one, for PostgreSQL carries at most 8000 bytes of each. */
import type { WorkHint } from './distribution.ts';
import { MOST_MESSAGE_BYTES, type ReadHint, readHintValue, writeHint } from './hint-message.ts';

const MOST_BYTES = 7900;

export interface Notification {
  readonly text: string;
  /** How many hints are in it. */
  readonly count: number;
}

/** A JSON array of hints each. What is written here is ASCII: a character is a byte. */
export function writeNotifications(hints: readonly WorkHint[]): Notification[] {
  const written: Notification[] = [];
  let parts: string[] = [];
  let bytes = 2;
  for (const hint of hints) {
    const part = writeHint(hint);
    if (parts.length > 0 && bytes + part.length + 1 > MOST_BYTES) {
      written.push({ text: `[${parts.join(',')}]`, count: parts.length });
      parts = [];
      bytes = 2;
    }
    parts.push(part);
    bytes += part.length + 1;
  }
  if (parts.length > 0) written.push({ text: `[${parts.join(',')}]`, count: parts.length });
  return written;
}

export function readNotification(text: string): ReadHint[] {
  let value: unknown;
  try {
    value = text.length > MOST_MESSAGE_BYTES ? undefined : JSON.parse(text);
  } catch {
    return [{ kind: 'malformed', reason: 'it is not JSON' }];
  }
  if (!Array.isArray(value)) return [{ kind: 'malformed', reason: 'it is no list of hints' }];
  return value.map((each) => readHintValue(each));
}
