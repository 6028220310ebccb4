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
/** What `makeShopPages` makes: its name, and how many of a hundred pages of the mix are such. */
const KINDS = [
  ['json-ld', '70 KB, JSON-LD', 7],
  ['microdata', '70 KB, microdata', 7],
  ['visible', '70 KB, a product without data', 6],
  ['category', '70 KB, a category', 20],
  ['article', '70 KB, an article of a shop', 30],
  ['blog', '70 KB, an article elsewhere', 30],
];
const TURN_MS = 700;
const WARM_UP_TURNS = 3;

export function benchExtraction({ extractionTurns }, say) {
  const demo = [TINKER_AND_SONS, MOSS_AND_MARROW].flatMap((plan) =>
    walkDemoShop(openShop(plan, `http://${plan.domain}/`)),
  );
  const kinds = KINDS.map(([kind, name]) => [name, makeShopPages(kind, LARGE_PAGES)]);
  const sets = [
    ['the demo shops, all pages', demo],
    ['the demo shops, products', demo.filter((page) => readAndExtract(page).verdict === 'valid')],
    ...kinds,
    ['70 KB, a mix', mixPages()],
  ];
  return sets.map(([name, pages]) => {
    say(`extraction: ${name}`);
    return { name, ...measure(pages, extractionTurns) };
  });
}

/** One kind after the other, as a crawl meets them: never many of the same in a row. */
function mixPages() {
  const placed = KINDS.flatMap(([kind, , share]) =>
    makeShopPages(kind, share).map((page, index) => ({ page, place: (index + 0.5) / share })),
  );
  return placed.sort((a, b) => a.place - b.place).map(({ page }) => page);
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

/** Pages for each second of processor time: what else the machine does is not counted. */
function timePages(pages, read) {
  const start = process.cpuUsage();
  let count = 0;
  let elapsed = 0;
  do {
    for (const page of pages) read(page);
    count += pages.length;
    const { user, system } = process.cpuUsage(start);
    elapsed = user + system;
  } while (elapsed < TURN_MS * 1000);
  return (count / elapsed) * 1_000_000;
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
