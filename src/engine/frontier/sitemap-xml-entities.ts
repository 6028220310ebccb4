/**
 * References XML itself defines: five names and character numbers. Others stay as written, so nothing a document
 * declares can grow. `&` alone stays too: many sitemaps forget to escape the one in a query.
 */
export function decodeXmlEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    (found, hex, decimal, name) => {
      if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? found;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : found;
    },
  );
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Value of one attribute in the raw text of a tag, or undefined. */
export function readAttribute(attributes: string, name: string): string | undefined {
  const pattern = /([^\s=/"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
  for (const [, found, doubleQuoted, singleQuoted] of attributes.matchAll(pattern)) {
    if (found?.toLowerCase() === name) return decodeXmlEntities(doubleQuoted ?? singleQuoted ?? '');
  }
  return undefined;
}
