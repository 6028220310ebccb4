import type { Article, Comment } from './blog-articles.ts';
import type { Author } from './blog-words.ts';
import type { Frame } from './html.ts';
import { escapeHtml, renderLinks, renderPage, renderParagraphs } from './html.ts';

export interface Blog {
  readonly origin: string;
  readonly frame: Frame;
  readonly articles: readonly Article[];
  /** Another site of the demo web, for a link that leaves this one. */
  readonly neighbourUrl: string;
}

export function renderArticle(blog: Blog, article: Article): string {
  const index = blog.articles.indexOf(article);
  const newer = blog.articles[index - 1];
  const older = blog.articles[index + 1];
  const sections = article.sections.map(
    ({ heading, paragraphs }) =>
      `${heading === undefined ? '' : `<h2>${escapeHtml(heading)}</h2>\n`}${renderParagraphs(paragraphs)}`,
  );
  return renderPage(blog.frame, {
    title: article.title,
    description: article.summary,
    canonicalUrl: `${blog.origin.slice(0, -1)}${article.path}`,
    head: `<meta property="og:type" content="article">
<meta property="article:published_time" content="${article.publishedAt.toISOString()}">
<script type="application/ld+json">${renderPosting(blog, article)}</script>
`,
    main: `<article>
<h1>${escapeHtml(article.title)}</h1>
<p class="byline">By <a rel="author" href="/authors/${article.author.slug}">${escapeHtml(article.author.name)}</a>,
${renderTime(article.publishedAt)}</p>
${sections.join('\n')}
<div class="tags">${renderLinks(article.tags.map((tag) => ({ href: `/tags/${tag}/`, text: `#${tag}` })))}</div>
<p class="byline"><a href="${article.path}?print=1">Print this</a> · Need a new kettle?
<a href="${blog.neighbourUrl}?utm_source=slow-kettle&amp;utm_medium=blog">Our friends have some</a>.</p>
</article>
<nav class="pages" aria-label="Neighbouring articles">${renderLinks([
      ...(newer === undefined ? [] : [{ href: newer.path, text: `← ${newer.title}` }]),
      ...(older === undefined ? [] : [{ href: older.path, text: `${older.title} →` }]),
    ])}</nav>
${renderComments(article.comments)}`,
  });
}

function renderPosting(blog: Blog, article: Article): string {
  return JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'BlogPosting',
    headline: article.title,
    datePublished: article.publishedAt.toISOString(),
    author: { '@type': 'Person', name: article.author.name },
    mainEntityOfPage: `${blog.origin.slice(0, -1)}${article.path}`,
  }).replaceAll('<', '\\u003c');
}

/** Readers' links are marked as theirs: a crawler that obeys the mark never sees the lottery. */
function renderComments(comments: readonly Comment[]): string {
  if (comments.length === 0) return '';
  const items = comments.map(
    (comment, index) =>
      `<blockquote><p>${escapeHtml(comment.text)}</p><p class="byline">${escapeHtml(comment.author)} ` +
      `(<a rel="ugc nofollow" href="/lottery/you-have-won?ticket=${comment.text.length}${index}">my page</a>)</p></blockquote>`,
  );
  return `<section class="comments"><h2>Letters from readers</h2>${items.join('\n')}</section>`;
}

/** The paper version: the same words with the furniture taken away. */
export function renderPrintVersion(article: Article): string {
  const body = article.sections.map(({ paragraphs }) => renderParagraphs(paragraphs)).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(article.title)} (to print)</title></head>
<body><h1>${escapeHtml(article.title)}</h1>
${body}
</body></html>
`;
}

export interface ArticleList {
  readonly title: string;
  readonly introduction: string;
  readonly articles: readonly Article[];
  readonly path: string;
  readonly page: number;
  readonly pageCount: number;
}

export function renderArticleList(blog: Blog, list: ArticleList): string {
  const items = list.articles.map(
    (article) => `<li><h2><a href="${article.path}">${escapeHtml(article.title)}</a></h2>
<p>${escapeHtml(article.summary)}</p><p>${renderTime(article.publishedAt)}</p></li>`,
  );
  const links = Array.from({ length: list.pageCount }, (_, index) => ({
    href: index === 0 ? list.path : `${list.path}?page=${index + 1}`,
    text: `Page ${index + 1}`,
  }));
  return renderPage(blog.frame, {
    title: list.page > 1 ? `${list.title}, page ${list.page}` : list.title,
    description: list.introduction,
    main: `<h1>${escapeHtml(list.title)}</h1>
<p>${escapeHtml(list.introduction)}</p>
<ul class="shelf">${items.join('\n')}</ul>
${list.pageCount > 1 ? `<nav class="pages" aria-label="Pages">${renderLinks(links)}</nav>` : ''}`,
  });
}

export function renderAuthor(blog: Blog, author: Author): string {
  const own = blog.articles.filter((article) => article.author === author);
  return renderPage(blog.frame, {
    title: author.name,
    description: author.about,
    main: `<h1>${escapeHtml(author.name)}</h1>
<p>${escapeHtml(author.about)}</p>
<p>${own.length} articles so far, among them:</p>
${renderLinks(own.slice(0, 12).map((article) => ({ href: article.path, text: article.title })))}`,
  });
}

function renderTime(date: Date): string {
  const words = date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return `<time datetime="${date.toISOString()}">${words}</time>`;
}
