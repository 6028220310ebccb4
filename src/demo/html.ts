/** The frame every page of the demo web hangs in. */
export interface Frame {
  readonly siteName: string;
  readonly tagline: string;
  /** Entries of the main navigation. */
  readonly navigation: ReadonlyArray<Link>;
  /** HTML of the foot of the page. */
  readonly footer: string;
  readonly language: string;
  /** Extra elements for every head, for instance the feed. */
  readonly head: string;
}

export interface Link {
  readonly href: string;
  readonly text: string;
}

export interface PageParts {
  readonly title: string;
  readonly description: string;
  /** HTML of the main part. */
  readonly main: string;
  readonly canonicalUrl?: string;
  /** Content of the robots meta, for instance `noindex`. */
  readonly robots?: string;
  /** Further elements for the head. */
  readonly head?: string;
  readonly breadcrumbs?: string;
}

export function renderPage(frame: Frame, page: PageParts): string {
  const robots =
    page.robots === undefined ? '' : `<meta name="robots" content="${escapeHtml(page.robots)}">\n`;
  const canonical =
    page.canonicalUrl === undefined ? '' : `<link rel="canonical" href="${escapeHtml(page.canonicalUrl)}">\n`;
  return `<!doctype html>
<html lang="${frame.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · ${escapeHtml(frame.siteName)}</title>
<meta name="description" content="${escapeHtml(page.description)}">
${robots}${canonical}<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
${frame.head}${page.head ?? ''}</head>
<body>
<header class="top">
<a class="name" href="/"><img src="/favicon.svg" alt="" width="40" height="40"> ${escapeHtml(frame.siteName)}</a>
<p class="tagline">${escapeHtml(frame.tagline)}</p>
<nav aria-label="Main">${renderLinks(frame.navigation)}</nav>
</header>
<main>
${page.breadcrumbs ?? ''}${page.main}
</main>
<footer>${frame.footer}</footer>
</body>
</html>
`;
}

export function renderLinks(links: ReadonlyArray<Link>): string {
  return `<ul>${links.map((link) => `<li>${renderLink(link)}</li>`).join('')}</ul>`;
}

function renderLink(link: Link): string {
  return `<a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a>`;
}

export function renderParagraphs(paragraphs: readonly string[]): string {
  return paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Good for text, for attributes in double quotes, and for XML. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
