import { type Handler, htmlPage } from '../site.ts';
import { typed } from './types.ts';

/** Unclosed, crossed and stray tags, quotes that never end; three links are to be found in it. */
export const brokenHtml = typed(
  'text/html; charset=utf-8',
  `<html><title>Broken<head></title><body><p>one<div><p>two</b></i>
<a href=/first>first<a href='/second' href="/never">second</p></a>
<table><tr><td><a HREF = "/third" >third</table></td>
<!-- a comment > <a href="/in-comment"> -- > <a href="/also-in-comment">
--><script>var a = '<a href="/in-script">';</script><p attr="never closed <a href="/lost">`,
);

/** Elements nested so deep that a recursive parser runs out of stack. */
export const deeplyNested = (depth = 200_000): Handler =>
  typed('text/html', `<!doctype html><title>Deep</title>${'<div>'.repeat(depth)}<a href="/bottom">x</a>`);

export const noindexPage = withMetaRobots('noindex');
export const nofollowPage = withMetaRobots('nofollow');
export const noarchivePage = withMetaRobots('noarchive');

export function withMetaRobots(content: string): Handler {
  const page = htmlPage(`Meta robots ${content}`, ['/behind-meta-robots']);
  return typed('text/html', page.replace('<title>', `<meta name="robots" content="${content}"><title>`));
}

/** The header may be repeated, and may name the crawler it is for. */
export function withRobotsTag(...values: readonly string[]): Handler {
  return ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html', 'x-robots-tag': [...values] });
    response.end(htmlPage('X-Robots-Tag', ['/behind-robots-tag']));
  };
}
