/**
 * What a URL that is shown as an image is remembered by among the seen ones. Seen as an image is not seen as a page: of
 * the two, what the frontier knows it as decides.
 */
export function imageKey(hash: Buffer): Buffer {
  const key = Buffer.from(hash);
  for (let i = 0; i < key.length; i += 1) key[i] = (key[i] ?? 0) ^ 0xff;
  return key;
}
