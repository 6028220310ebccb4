import type { DemoSite } from './demo-site.ts';
import { escapeHtml } from './html.ts';
import { renderStyle } from './style.ts';

/** What a person sees who opens the bare address: where the sites are. */
export function renderFrontPage(sites: readonly DemoSite[]): string {
  const style = renderStyle({ paper: '#fdfaf4', ink: '#2b2b2b', accent: '#7a4b9c', font: 'Georgia, serif' });
  const items = sites.map(
    (site) =>
      `<li><h2><a href="${escapeHtml(site.url)}">${escapeHtml(site.name)}</a></h2><p>${escapeHtml(site.description)}</p></li>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The demo web</title><style>${style}</style></head>
<body><main><h1>The demo web</h1>
<p>A very small internet, on this machine only, for crawlers to practise on. Its sites:</p>
<ul class="shelf">${items.join('\n')}</ul></main></body></html>
`;
}
