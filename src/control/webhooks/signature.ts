/**
 * Signatures of messages as Standard Webhooks 1.0 has them: `v1,` and the base64 of the HMAC-SHA256 of
 * `<webhook-id>.<webhook-timestamp>.<body>`, made with the bytes that the secret stands for.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { ForagerError } from '../../platform/errors.ts';

const PREFIX = 'whsec_';
const FEWEST_BYTES = 24;
const MOST_BYTES = 64;
const OWN_BYTES = 32;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function newWebhookSecret(): string {
  return PREFIX + randomBytes(OWN_BYTES).toString('base64');
}

/** Throws for what is none. What was given is not repeated: it may be somebody's secret all the same. */
export function checkWebhookSecret(secret: string): string {
  const trimmed = secret.trim();
  keyOfSecret(trimmed);
  return trimmed;
}

export interface SignedMessage {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** One signature for each secret, separated by spaces: whoever checks needs one of them to be right. */
export function signMessage({ id, timestamp, body }: SignedMessage, secrets: readonly string[]): string {
  const content = `${id}.${timestamp}.${body}`;
  return secrets
    .map(
      (secret) => `v1,${createHmac('sha256', keyOfSecret(secret)).update(content, 'utf8').digest('base64')}`,
    )
    .join(' ');
}

function keyOfSecret(secret: string): Buffer {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : undefined;
  const key = text !== undefined && BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
  if (key !== undefined && key.length >= FEWEST_BYTES && key.length <= MOST_BYTES) return key;
  throw new ForagerError('bad-webhook-secret', 'That is not a secret that messages can be signed with.', {
    hint: `give "${PREFIX}" and the base64 of ${FEWEST_BYTES} to ${MOST_BYTES} random bytes, or none: one is made then`,
  });
}
