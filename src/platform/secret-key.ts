/** The key that secrets are encrypted with, as people write it: 32 bytes in base64 or hexadecimal. */
export const SECRET_KEY_BYTES = 32;

const HEX = /^[0-9a-f]{64}$/i;
/** With the alphabet of URLs or without, with the = at the end or without. */
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/** Undefined for anything else. */
export function parseSecretKey(text: string): Buffer | undefined {
  const trimmed = text.trim();
  if (HEX.test(trimmed)) return Buffer.from(trimmed, 'hex');
  // Both alphabets are read as base64.
  const key = BASE64.test(trimmed) ? Buffer.from(trimmed, 'base64') : undefined;
  return key?.length === SECRET_KEY_BYTES ? key : undefined;
}
