import type { Article } from './blog-articles.ts';
import { writeArticles } from './blog-articles.ts';
import { readCalendarPath, renderCalendar } from './blog-calendar.ts';
import { renderAtom, renderRss } from './blog-feeds.ts';
import type { ArticleList, Blog } from './blog-pages.ts';
import { renderArticle, renderArticleList, renderAuthor, renderPrintVersion } from './blog-pages.ts';
import { AUTHORS, TAGS } from './blog-words.ts';
import type { DemoReply, DemoRequest, DemoSite, Routes } from './demo-site.ts';
import { redirectTo, replyWithDocument, replyWithHtml, replyWithTrouble } from './demo-site.ts';
import type { Frame } from './html.ts';
import { renderPage } from './html.ts';
import { drawSvg } from './picture.ts';
import { renderSitemap } from './sitemap.ts';
import { renderStyle } from './style.ts';

const NAME = 'The Slow Kettle';
const DOMAIN = 'the-slow-kettle.localhost';
const DESCRIPTION = 'A blog about tea, weather and small repairs, published about every nine days.';
const ARTICLE_COUNT = 60;
const ARTICLES_PER_PAGE = 10;

// Fast enough for a demonstration, slow enough to be seen in the pace of the crawl.
const ROBOTS = `# The kettle is slow. Please be slow too.
User-agent: *
Crawl-delay: 0.2
Disallow: /drafts/
Disallow: /*?print=
Allow: /drafts/reading-list
`;

const FRAME: Frame = {
  siteName: NAME,
  tagline: 'It will boil when it boils',
  language: 'en-GB',
  head: `<link rel="alternate" type="application/rss+xml" title="RSS" href="/feed.xml">
<link rel="alternate" type="application/atom+xml" title="Atom" href="/atom.xml">
`,
  navigation: [
    { href: '/', text: 'Newest' },
    { href: '/archive/', text: 'Archive' },
    { href: '/calendar/2025/03/', text: 'Calendar' },
    ...AUTHORS.map(({ slug, name }) => ({ href: `/authors/${slug}`, text: name })),
  ],
  footer: `<p>Written by hand, typed with two fingers. <a href="/feed.xml">RSS</a> · <a href="/atom.xml">Atom</a> ·
<a href="/guestbook">Guestbook</a> · <a href="/drafts/">Drafts</a> · <a href="/drafts/reading-list">Reading list</a> ·
<a href="/blog">The old address</a> · <a href="/recipe-for-fog">A recipe for fog</a> ·
<a href="https://www.example.org/kettles">A page somewhere else entirely</a></p>`,
};

export function openBlog(origin: string, neighbourUrl: string): DemoSite {
  const blog: Blog = { origin, frame: FRAME, articles: writeArticles(ARTICLE_COUNT), neighbourUrl };
  const routes: Routes = new Map();
  addArticles(routes, blog);
  addLists(routes, blog);
  addCorners(routes, blog);

  function answer(request: DemoRequest): DemoReply {
    const handler = routes.get(request.path);
    if (handler !== undefined) return handler(request);
    const month = readCalendarPath(request.path);
    if (month !== undefined) return replyWithHtml(renderCalendar(FRAME, month.year, month.month));
    return replyWithTrouble(404, renderNotFound());
  }

  return { name: NAME, domain: DOMAIN, url: origin, description: DESCRIPTION, answer };
}

function addArticles(routes: Routes, blog: Blog): void {
  for (const article of blog.articles) {
    const validators = { 'last-modified': article.publishedAt.toUTCString() };
    routes.set(article.path, ({ query }) =>
      query.has('print')
        ? replyWithHtml(renderPrintVersion(article), { ...validators, 'x-robots-tag': 'noindex' })
        : replyWithHtml(renderArticle(blog, article), validators),
    );
  }
}

function addLists(routes: Routes, blog: Blog): void {
  const addList = (path: string, title: string, introduction: string, articles: readonly Article[]): void => {
    routes.set(path, ({ query }) => {
      const list = choosePage({ path, title, introduction }, articles, query);
      return list === undefined
        ? replyWithTrouble(404, renderNotFound())
        : replyWithHtml(renderArticleList(blog, list));
    });
  };
  addList('/', 'Newest', DESCRIPTION, blog.articles);
  for (const tag of TAGS) {
    const tagged = blog.articles.filter((article) => article.tags.includes(tag));
    addList(`/tags/${tag}/`, `About ${tag}`, `Everything we have said about ${tag}.`, tagged);
  }
  const months = [...new Set(blog.articles.map((article) => article.month))];
  for (const month of months) {
    const written = blog.articles.filter((article) => article.month === month);
    addList(`/${month.replace('-', '/')}/`, `Written in ${month}`, 'One month of slow boiling.', written);
  }
  const links = months.map((month) => `<li><a href="/${month.replace('-', '/')}/">${month}</a></li>`);
  const archive = renderPage(FRAME, {
    title: 'Archive',
    description: 'All months so far.',
    main: `<h1>Archive</h1><ul>${links.join('\n')}</ul>`,
  });
  routes.set('/archive/', () => replyWithHtml(archive));
  for (const author of AUTHORS) {
    routes.set(`/authors/${author.slug}`, () => replyWithHtml(renderAuthor(blog, author)));
  }
}

function choosePage(
  list: Pick<ArticleList, 'path' | 'title' | 'introduction'>,
  articles: readonly Article[],
  query: URLSearchParams,
): ArticleList | undefined {
  const pageCount = Math.max(1, Math.ceil(articles.length / ARTICLES_PER_PAGE));
  const page = Number(query.get('page') ?? '1');
  if (!Number.isInteger(page) || page < 1 || page > pageCount) return undefined;
  const shown = articles.slice((page - 1) * ARTICLES_PER_PAGE, page * ARTICLES_PER_PAGE);
  return { ...list, articles: shown, page, pageCount };
}

function addCorners(routes: Routes, blog: Blog): void {
  const feed = { title: NAME, description: DESCRIPTION, origin: blog.origin };
  const entries = blog.articles.map(({ path, publishedAt }) => ({
    url: `${blog.origin.slice(0, -1)}${path}`,
    modifiedOn: publishedAt.toISOString().slice(0, 10),
  }));
  const plainPage = (title: string, text: string, robots?: string): string =>
    renderPage(FRAME, {
      title,
      description: text,
      main: `<h1>${title}</h1><p>${text}</p>`,
      ...(robots === undefined ? {} : { robots }),
    });
  const serveText = (path: string, type: string, text: string): void => {
    routes.set(path, () => replyWithDocument(type, text));
  };
  serveText('/feed.xml', 'application/rss+xml; charset=utf-8', renderRss(feed, blog.articles));
  serveText('/atom.xml', 'application/atom+xml; charset=utf-8', renderAtom(feed, blog.articles));
  serveText('/sitemap.xml', 'application/xml', renderSitemap(entries));
  serveText('/robots.txt', 'text/plain; charset=utf-8', `${ROBOTS}\nSitemap: ${blog.origin}sitemap.xml\n`);
  serveText('/favicon.svg', 'image/svg+xml', drawSvg(NAME, 205));
  serveText(
    '/style.css',
    'text/css; charset=utf-8',
    renderStyle({ paper: '#f6f3f0', ink: '#2a2733', accent: '#35608f', font: 'Charter, Palatino, serif' }),
  );
  routes.set('/blog', () => redirectTo('/', 308));
  routes.set('/drafts/', () => replyWithHtml(plainPage('Drafts', 'Not yet. They are still steeping.')));
  routes.set('/drafts/reading-list', () =>
    replyWithHtml(plainPage('Reading list', 'Timetables, mostly, and one book about owls.', 'noindex')),
  );
  // Old pages come in old encodings: é and ø are one byte each here.
  const guestbook = plainPage(
    'Guestbook',
    'Très bon thé! René. — Smørrebrød next time? Søren. — Grüße, Jürgen.',
  );
  const bytes = Buffer.from(guestbook.replace('utf-8', 'iso-8859-1').replaceAll('—', '-'), 'latin1');
  routes.set('/guestbook', () => replyWithDocument('text/html; charset=iso-8859-1', bytes));
}

function renderNotFound(): string {
  return renderPage(FRAME, {
    title: 'Steam',
    description: 'This page is not here.',
    main: '<h1>Only steam here</h1><p>Whatever this was, it has boiled away. <a href="/">Start again</a>.</p>',
  });
}
