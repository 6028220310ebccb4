/** Sites without end: each of them links to ever new pages. For patterns such as `/calendar/*`. */
import { type Handler, html, htmlPage } from '../site.ts';

/** Every month links to the month before and the month after. */
export const infiniteCalendar: Handler = html(({ url }) => {
  const [, year = '2024', month = '1'] = /(\d+)\/(\d+)\/?$/.exec(url.pathname) ?? [];
  const base = url.pathname.replace(/\d+\/\d+\/?$/, '');
  const index = Number(year) * 12 + Number(month) - 1;
  const link = (at: number) => `${base}${Math.floor(at / 12)}/${(at % 12) + 1}`;
  return htmlPage(`Calendar ${year}/${month}`, [link(index - 1), link(index + 1)]);
});

/** Every visit gets a session of its own, carried in every link to the same three pages. */
export function sessionLinks(): Handler {
  let issued = 0;
  return html(({ url }) => {
    const session = (++issued).toString(16).padStart(32, '0');
    const base = url.pathname.replace(/[^/]*$/, '');
    return htmlPage(
      `Session ${url.pathname}`,
      ['a', 'b', 'c'].map((name) => `${base}${name}?PHPSESSID=${session}`),
    );
  });
}

/** Filters that combine: each page offers to add one more value of one more facet. */
export const facetExplosion: Handler = html(({ url }) => {
  const links: string[] = [];
  for (const facet of ['colour', 'size', 'brand', 'price', 'sort']) {
    for (const value of ['a', 'b', 'c', 'd']) {
      const next = new URLSearchParams(url.search);
      next.append(facet, value);
      links.push(`${url.pathname}?${next}`);
    }
  }
  return htmlPage(`Facets ${url.search}`, links);
});

/** A relative link on every page, so that each page seems to lie one folder deeper. */
export const growingPath: Handler = html(({ url }) => htmlPage(`At ${url.pathname}`, ['a/b/', 'c/']));

/** One page with this many links, streamed. */
export function manyLinks(count: number): Handler {
  return ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write('<!doctype html><title>Many links</title>');
    let written = 0;
    const pour = () => {
      while (written < count && !response.destroyed) {
        const until = Math.min(written + 5_000, count);
        let part = '';
        for (; written < until; written++) part += `<a href=/l/${written.toString(36)}>`;
        if (!response.write(part)) return;
      }
      response.end();
    };
    response.on('drain', pour);
    pour();
  };
}
