/** A message as it is sent: `type`, `timestamp`, `data`, in this order, whatever order the database keeps them in. */
interface StoredMessage {
  readonly type: string;
  readonly timestamp: string;
  readonly data: unknown;
}

export function writeBody(payload: unknown): string {
  const { type, timestamp, data } = payload as StoredMessage;
  return JSON.stringify({ type, timestamp: timestamp.replace(/\+00(?::?00)?$/, 'Z'), data });
}
