/**
 * Text from the web is put into Markdown as text, never as markup: whatever CommonMark or GFM would read as a
 * construct is escaped, `<` and what would be an entity become entities so that no renderer can see a tag in it.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_[\]~|]/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/(^|\n)([ \t]*)([#=+-])/g, '$1$2\\$3')
    .replace(/(^|\n)([ \t]*\d{1,9})([.)])(?=\s|$)/g, '$1$2\\$3')
    .replace(/!(?=\\\[)/g, '\\!');
}

const SAFE_SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:', 'ftp:']);

/** The absolute form of a link, or undefined where a click on it would not simply open a page. */
export function resolveLink(href: string, baseUrl: string): string | undefined {
  const url = parseUrl(href, baseUrl);
  if (url === undefined || !SAFE_SCHEMES.has(url.protocol)) return undefined;
  return encodeDestination(url.href);
}

export function resolveImage(source: string, baseUrl: string): string | undefined {
  const url = parseUrl(source, baseUrl);
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  return encodeDestination(url.href);
}

function parseUrl(href: string, baseUrl: string): URL | undefined {
  const address = href.trim();
  if (URL.canParse(address, baseUrl)) return new URL(address, baseUrl);
  return URL.canParse(address) ? new URL(address) : undefined;
}

/** Characters that would end a link destination, or start a tag in a careless renderer. */
function encodeDestination(href: string): string {
  return href.replace(/[()<>\\\s"'`*|]/g, (character) => {
    const code = character.charCodeAt(0);
    return code > 0x7f
      ? encodeURIComponent(character)
      : `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
  });
}
