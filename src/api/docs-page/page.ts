/** The page that shows the document to people. Everything in it is made here; the script only searches and tries. */
import { PROBLEMS } from '../../contract/problems.ts';
import type { OpenApiDocument } from '../openapi/types.ts';
import { html, type Markup, prose } from './html.ts';
import { type OperationPlace, showOperation } from './operation-section.ts';

export function renderPage(document: OpenApiDocument): string {
  const places = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): OperationPlace => ({ method, path, operation })),
  );
  const groups = document.tags.map(({ name, description }) => ({
    ...{ name, description },
    places: places.filter(({ operation }) => operation.tags[0] === name),
  }));
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Forager API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/docs/docs.css">
<script src="/api/docs/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header class="top">
  <h1>Forager <span>API ${String(document.info.version)}</span></h1>
  <div class="tools">
    <label class="tool"><span>Search</span><input id="search" type="search" placeholder="a word, a path" autocomplete="off" spellcheck="false"></label>
    <label class="tool"><span>Key</span><input id="key" type="password" placeholder="fgr_… or the session" autocomplete="off" spellcheck="false"></label>
  </div>
</header>
<div class="columns">
<nav aria-label="Operations">${groups.map(
    (group) =>
      html`<section><h2><a href="#group-${group.name}">${group.name}</a></h2><ul>${group.places.map(
        ({ method, operation }) =>
          html`<li data-for="${operation.operationId}"><a href="#${operation.operationId}"><span class="method ${method}">${method}</span>${operation.operationId}</a></li>`,
      )}</ul></section>`,
  )}<section><h2><a href="#problems">problems</a></h2></section></nav>
<main id="content" tabindex="-1">
<section class="intro">${introduction(document)}
<p>For programs: <a href="/api/openapi.json">openapi.json</a>.</p></section>
<p id="nothing" hidden>Nothing here goes by that word.</p>
${groups.map(
  (
    group,
  ) => html`<section class="group" id="group-${group.name}"><h2>${group.name}</h2><p class="says">${prose(group.description)}</p>
${group.places.map((place) => showOperation(document, place))}</section>`,
)}
${problemTable()}
</main>
</div>
</body>
</html>
`;
  return page.text;
}

function introduction(document: OpenApiDocument): Markup[] {
  const paragraphs = String(document.info.description).split('\n\n');
  return paragraphs.map((text) => html`<p>${prose(text)}</p>`);
}

/** The `type` of a problem leads here. */
function problemTable(): Markup {
  const rows = Object.entries(PROBLEMS).map(
    ([code, { status, title }]) =>
      html`<tr id="${code}"><td><a href="#${code}"><code>${code}</code></a></td><td>${status}</td><td>${title}</td></tr>`,
  );
  return html`<section class="group" id="problems"><h2>problems</h2>
<p class="says">Why a request was refused. The code stays the same; the sentences may become better.</p>
<div class="wide"><table><thead><tr><th>code</th><th>status</th><th>meaning</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}
