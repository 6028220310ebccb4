/** `--only extraction`: what looking for products costs, besides reading links and text. Needs the built program. */
import { makeShopPages, walkDemoShop } from './extraction-pages.mjs';
import { median } from './statistics.mjs';

const { parseHtml } = await import('../dist/engine/parse/scan-html.js');
const { toUtf8Html } = await import('../dist/engine/parse/decode-body.js');
const { genericParser } = await import('../dist/engine/extract/generic/generic-parser.js');
const { openShop } = await import('../dist/demo/shop.js');
const { TINKER_AND_SONS } = await import('../dist/demo/tinker-and-sons.js');
const { MOSS_AND_MARROW } = await import('../dist/demo/moss-and-marrow.js');

const CONTENT_TYPE = 'text/html; charset=utf-8';
const LARGE_PAGES = 60;
const TURN_MS = 700;
const WARM_UP_TURNS = 3;

export function benchExtraction({ extractionTurns }, say) {
  const demo = [TINKER_AND_SONS, MOSS_AND_MARROW].flatMap((plan) =>
    walkDemoShop(openShop(plan, `http://${plan.domain}/`)),
  );
  const large = (kind) => makeShopPages(kind, LARGE_PAGES);
  const sets = [
    ['the demo shops, all pages', demo],
    ['70 KB, JSON-LD', large('json-ld')],
    ['70 KB, microdata', large('microdata')],
    ['70 KB, a product without data', large('visible')],
    ['70 KB, an article', large('article')],
  ];
  sets.push(['all of these', sets.flatMap(([, pages]) => pages)]);
  return sets.map(([name, pages]) => {
    say(`extraction: ${name}`);
    return { name, ...measure(pages, extractionTurns) };
  });
}

function measure(pages, turns) {
  const plain = [];
  const both = [];
  // A crawl runs for hours: what counts is the program when it is warm.
  for (let turn = 0; turn < WARM_UP_TURNS; turn++) {
    timePages(pages, readOnly);
    timePages(pages, readAndExtract);
  }
  // In turns, so that what else the machine does meets both alike.
  for (let turn = 0; turn < turns; turn++) {
    plain.push(timePages(pages, readOnly));
    both.push(timePages(pages, readAndExtract));
  }
  const products = pages.filter((page) => readAndExtract(page).verdict === 'valid').length;
  const ratios = plain.map((speed, turn) => speed / both[turn]);
  return {
    pages: pages.length,
    products,
    kilobytes: pages.reduce((sum, { body }) => sum + body.length, 0) / pages.length / 1000,
    parsePagesPerSecond: median(plain),
    bothPagesPerSecond: median(both),
    ratio: median(ratios),
    ratios,
  };
}

function timePages(pages, read) {
  const start = performance.now();
  let count = 0;
  let elapsed = 0;
  do {
    for (const page of pages) read(page);
    count += pages.length;
    elapsed = performance.now() - start;
  } while (elapsed < TURN_MS);
  return (count / elapsed) * 1000;
}

function readOnly({ body, url }) {
  const { html } = toUtf8Html(body, CONTENT_TYPE);
  return { html, page: parseHtml({ html, url, contentLanguage: undefined, maxLinks: 2000 }) };
}

function readAndExtract(input) {
  const { html, page } = readOnly(input);
  const { baseUrl, language } = page;
  return genericParser.extract({ html, url: input.url, baseUrl, language });
}
