import { gzipSync } from 'node:zlib';
import type { DemoSite, Routes } from './demo-site.ts';
import { redirectTo, replyWithDocument, replyWithHtml, replyWithTrouble } from './demo-site.ts';
import { makeSlug } from './grammar.ts';
import { CHAPTERS, writeTopic } from './handbook-content.ts';
import type { Frame } from './html.ts';
import { escapeHtml, renderLinks, renderPage } from './html.ts';
import { drawSvg } from './picture.ts';
import { renderSitemap } from './sitemap.ts';
import { renderStyle } from './style.ts';

const NAME = 'The Wren Handbook';
const DOMAIN = 'wren-handbook.localhost';
const DESCRIPTION = 'The manual of Wren, the small brass bird that keeps your household’s weather.';
const VERSIONS = ['v2', 'v1'] as const;

const ROBOTS = `User-agent: *
Disallow: /internal/
Disallow: /*.txt$
`;

const FRAME: Frame = {
  siteName: NAME,
  tagline: 'Version two: now with fewer thunderstorms',
  language: 'en',
  head: '',
  navigation: [
    { href: '/v2/', text: 'Current (v2)' },
    { href: '/v1/', text: 'Previous (v1)' },
    { href: '/everything', text: 'On one page' },
  ],
  footer: `<p>Wren is a trade mark of nobody. <a href="/docs">Older address</a> ·
<a href="/internal/songs">Internal notes</a> · <a href="/licence.txt">Licence</a> · <a href="/v0/">Version nought</a> · <a href="/echo/">Echo</a></p>`,
};

/** Where a link that lost its leading slash leads: to the same page one level deeper, and so on for ever. */
const ECHO = /^\/echo\/(?:echo\/)*$/;

interface Topic {
  readonly version: string;
  readonly title: string;
  readonly path: string;
}

export function openHandbook(origin: string): DemoSite {
  const topics = listTopics();
  const routes: Routes = new Map();
  routes.set('/', () => redirectTo('/v2/', 302));
  routes.set('/docs', () => redirectTo('/v2/', 301));
  routes.set('/v0/', () =>
    replyWithTrouble(410, renderPlain('Version nought', 'It flew away in the first winter.')),
  );
  for (const version of VERSIONS) {
    routes.set(`/${version}/`, () => replyWithHtml(renderContents(topics, version)));
  }
  topics.forEach((topic, index) => {
    const page = renderTopic(origin, topics, topic, topics[index + 1]);
    routes.set(topic.path, () => replyWithHtml(page));
  });
  routes.set('/everything', () => ({ ...replyWithHtml(renderEverything(topics)), dawdleMs: 800 }));
  routes.set('/internal/songs', () =>
    replyWithHtml(renderPlain('Songs', 'Robots are asked not to hum these.')),
  );
  addMachineFiles(routes, origin, topics);

  return {
    name: NAME,
    domain: DOMAIN,
    url: origin,
    description: DESCRIPTION,
    answer: (request) => {
      if (ECHO.test(request.path)) return replyWithHtml(renderEcho());
      const handler = routes.get(request.path);
      return (
        handler?.(request) ??
        replyWithTrouble(404, renderPlain('No such page', 'The bird has not heard of it.'))
      );
    },
  };
}

function listTopics(): Topic[] {
  return VERSIONS.flatMap((version) =>
    CHAPTERS.flatMap((chapter) =>
      chapter.topics.map((title) => ({
        version,
        title,
        path: `/${version}/${makeSlug(chapter.title)}/${makeSlug(title)}`,
      })),
    ),
  );
}

function addMachineFiles(routes: Routes, origin: string, topics: readonly Topic[]): void {
  const entries = topics.map(({ path }) => ({
    url: `${origin.slice(0, -1)}${path}`,
    modifiedOn: '2025-02-01',
  }));
  const style = renderStyle({
    paper: '#fbfbf8',
    ink: '#22272b',
    accent: '#8a6a12',
    font: 'system-ui, sans-serif',
  });
  const robots = `${ROBOTS}\nSitemap: ${origin}sitemap.xml.gz\n`;
  routes.set('/robots.txt', () => replyWithDocument('text/plain; charset=utf-8', robots));
  routes.set('/sitemap.xml.gz', () =>
    replyWithDocument('application/gzip', gzipSync(renderSitemap(entries))),
  );
  routes.set('/style.css', () => replyWithDocument('text/css; charset=utf-8', style));
  routes.set('/favicon.svg', () => replyWithDocument('image/svg+xml', drawSvg(NAME, 45)));
  routes.set('/licence.txt', () => replyWithDocument('text/plain; charset=utf-8', 'Be kind to the bird.\n'));
}

function renderPlain(title: string, text: string): string {
  return renderPage(FRAME, { title, description: text, main: `<h1>${title}</h1><p>${text}</p>` });
}

function renderEcho(): string {
  return renderPage(FRAME, {
    title: 'Echo',
    description: 'Wren repeats what it hears.',
    main: '<h1>Echo</h1><p>Wren repeats what it hears. <a href="echo/">Again?</a></p>',
  });
}

function renderContents(topics: readonly Topic[], version: string): string {
  return renderPage(FRAME, {
    title: `Contents of ${version}`,
    description: DESCRIPTION,
    main: `<h1>Wren ${version}</h1><p>${escapeHtml(DESCRIPTION)}</p>${renderSidebar(topics, version)}`,
  });
}

function renderSidebar(topics: readonly Topic[], version: string): string {
  const own = topics.filter((topic) => topic.version === version);
  return `<nav aria-label="Contents">${renderLinks(own.map(({ path, title }) => ({ href: path, text: title })))}</nav>`;
}

function renderTopic(
  origin: string,
  topics: readonly Topic[],
  topic: Topic,
  next: Topic | undefined,
): string {
  const text = writeTopic(topic.title, topic.version);
  const sections = text.sections.map(
    ({ heading, text: body }) =>
      `<h2 id="${makeSlug(heading)}">${escapeHtml(heading)} <a href="#${makeSlug(heading)}">#</a></h2>\n<p>${escapeHtml(body)}</p>`,
  );
  const rows = text.options.map(
    ([name, meaning]) => `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(meaning)}</td></tr>`,
  );
  return renderPage(FRAME, {
    title: `${topic.title} (${topic.version})`,
    description: text.introduction,
    canonicalUrl: `${origin.slice(0, -1)}${topic.path}`,
    main: `<div class="handbook">${renderSidebar(topics, topic.version)}
<div><h1>${escapeHtml(topic.title)}</h1>
<p>${escapeHtml(text.introduction)}</p>
${sections.join('\n')}
<pre><code>${escapeHtml(text.example)}</code></pre>
<table><tr><th>Option</th><th>Meaning</th></tr>${rows.join('\n')}</table>
${next === undefined ? '' : `<p>Next: <a rel="next" href="${next.path}">${escapeHtml(next.title)}</a></p>`}</div></div>`,
  });
}

function renderEverything(topics: readonly Topic[]): string {
  const parts = topics
    .filter((topic) => topic.version === 'v2')
    .map(
      (topic) =>
        `<h2>${escapeHtml(topic.title)}</h2><p>${escapeHtml(writeTopic(topic.title, 'v2').introduction)}</p>`,
    );
  return renderPage(FRAME, {
    title: 'Everything on one page',
    description: 'The whole handbook, for printing and for draughts.',
    main: `<h1>Everything on one page</h1>${parts.join('\n')}`,
  });
}
