/** Which answers are pages. Everything else behind a link (images, archives, video) is not worth its bytes. */

const PAGE_TYPES = new Set(['text/html', 'application/xhtml+xml', 'application/vnd.wap.xhtml+xml']);

/** WHATWG MIME Sniffing §7.1: what the start of an HTML resource looks like. */
const HTML_START =
  /^[\t\n\f\r ]*(?:<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[ >\t\n\f\r/]|<!--)/i;
const XHTML_START = /^[\t\n\f\r ]*<\?xml[^>]*\?>[\s\S]*<html[\s>]/i;

/** How many bytes sniffing looks at, by the same specification. */
export const SNIFFED_BYTES = 1445;

/** `type/subtype` in lower case; of several the last valid one (Fetch, "extract a MIME type"). */
export function mediaType(contentType: string | undefined): string | undefined {
  let found: string | undefined;
  for (const value of (contentType ?? '').split(',')) {
    const [essence = ''] = value.split(';');
    const candidate = essence.trim().toLowerCase();
    if (/^[^\s/]+\/[^\s/]+$/.test(candidate) && candidate !== '*/*') found = candidate;
  }
  return found;
}

export function isPageType(type: string): boolean {
  return PAGE_TYPES.has(type);
}

/** For answers that carry no type. An empty body is an empty page. */
export function looksLikeHtml(body: Buffer): boolean {
  if (body.length === 0) return true;
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  const start = body.toString('latin1', hasMark ? 3 : 0, SNIFFED_BYTES);
  return HTML_START.test(start) || XHTML_START.test(start);
}
