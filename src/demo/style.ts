/** Three colours make a site its own; the rest of the sheet is shared. */
export interface Palette {
  readonly paper: string;
  readonly ink: string;
  readonly accent: string;
  readonly font: string;
}

export function renderStyle(palette: Palette): string {
  return `:root {
  --paper: ${palette.paper};
  --ink: ${palette.ink};
  --accent: ${palette.accent};
  --faint: color-mix(in srgb, var(--ink) 14%, var(--paper));
  --card: color-mix(in srgb, white 55%, var(--paper));
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: color-mix(in srgb, ${palette.ink} 92%, black);
    --ink: ${palette.paper};
    --accent: color-mix(in srgb, ${palette.accent} 60%, white);
    --card: color-mix(in srgb, white 6%, var(--paper));
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 0 1.25rem; max-width: 66rem;
  background: var(--paper); color: var(--ink);
  font: 1.05rem/1.6 ${palette.font};
}
a { color: var(--accent); text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
h1, h2, h3 { line-height: 1.2; font-weight: 600; text-wrap: balance; }
h1 { font-size: 2.1rem; margin: 1rem 0 0.5rem; }
img { max-width: 100%; height: auto; vertical-align: middle; }
ul, ol { padding-left: 1.2rem; }
.top { padding: 1.5rem 0 0.75rem; border-bottom: 3px double var(--faint); }
.top .name { font-size: 1.7rem; font-weight: 700; color: inherit; text-decoration: none; }
.top .tagline { margin: 0.1rem 0 0.6rem; font-style: italic; opacity: 0.75; }
nav ul, .crumbs ol, .facets ul, .pages ul, .tags ul {
  list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.3rem 1.1rem;
}
.crumbs { font-size: 0.9rem; opacity: 0.8; margin-top: 1rem; }
.crumbs li + li::before { content: "› "; opacity: 0.6; }
.shelf { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 1.1rem; padding: 0; }
.shelf > li { list-style: none; background: var(--card); border: 1px solid var(--faint); border-radius: 0.6rem; padding: 0.9rem; }
.shelf img { display: block; margin: 0 auto 0.6rem; width: 8rem; height: 8rem; }
.price { font-weight: 700; font-variant-numeric: tabular-nums; }
.stock { font-size: 0.85rem; opacity: 0.8; }
.product { display: grid; grid-template-columns: minmax(12rem, 20rem) 1fr; gap: 2rem; align-items: start; }
.product > img { background: var(--card); border: 1px solid var(--faint); border-radius: 0.8rem; padding: 1rem; width: 100%; }
@media (max-width: 40rem) { .product { grid-template-columns: 1fr; } }
.facets { background: var(--card); border-radius: 0.6rem; padding: 0.6rem 1rem; margin: 1rem 0; font-size: 0.92rem; }
.pages { margin: 1.5rem 0; }
article { max-width: 42rem; }
article > p:first-of-type::first-letter { font-size: 2.6em; float: left; line-height: 0.9; padding-right: 0.08em; color: var(--accent); }
.byline, time { opacity: 0.75; font-size: 0.92rem; }
.comments { border-top: 1px solid var(--faint); margin-top: 2rem; }
.comments blockquote { margin: 0.8rem 0; padding-left: 1rem; border-left: 3px solid var(--faint); }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { text-align: left; padding: 0.35rem 0.9rem 0.35rem 0; border-bottom: 1px solid var(--faint); vertical-align: top; }
pre { background: var(--card); border: 1px solid var(--faint); border-radius: 0.5rem; padding: 0.8rem 1rem; overflow-x: auto; }
code { font-size: 0.92em; }
.handbook { display: grid; grid-template-columns: 14rem 1fr; gap: 2.5rem; align-items: start; }
.handbook > nav ul { display: block; font-size: 0.93rem; }
@media (max-width: 48rem) { .handbook { grid-template-columns: 1fr; } }
footer { margin: 3rem 0 2rem; padding-top: 1rem; border-top: 3px double var(--faint); font-size: 0.9rem; }
`;
}
