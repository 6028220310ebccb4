/**
 * The absolute URL a Location header points to, without its fragment (which is the reader's, not the
 * server's); undefined when it cannot be read as a URL.
 */
export function resolveLocation(location: string, base: URL): string | undefined {
  try {
    const resolved = new URL(decodeHeaderText(location), base);
    resolved.hash = '';
    return resolved.href;
  } catch {
    return undefined;
  }
}

/** Headers arrive as bytes; servers that forget to percent-encode a path nearly always mean UTF-8. */
function decodeHeaderText(latin1: string): string {
  if (!/[\x80-\xff]/.test(latin1)) return latin1;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return latin1;
  }
}
