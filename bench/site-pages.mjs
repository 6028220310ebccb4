/**
 * The pages of the benchmark's site: all different, all of one size, each linking to `links` others, every
 * one reachable from the first within a few clicks. Only ASCII, so that characters and bytes agree.
 */

const WORDS = (
  'amber basin candle delta ember fallow garnet harbour island juniper kettle lantern meadow nettle orchard ' +
  'pepper quarry ribbon saddle timber umber velvet willow yarrow zephyr anchor bramble copper drizzle elder ' +
  'furrow gravel hollow ivory jasper kernel linden marrow nutmeg oyster pebble quiver russet sorrel thistle ' +
  'upland violet wicker yonder acorn birch clover dapple fennel gander hazel'
).split(' ');
const SECTIONS = ['garden', 'kitchen', 'travel', 'letters', 'weather', 'music', 'repairs', 'history'];
/** Children of page i in the tree that makes every page reachable: a depth of four covers 11,111 pages. */
const BRANCHES = 10;

/** @param {{ pagesPerHost: number, links: number, kb: number }} shape */
export function createPages({ pagesPerHost, links, kb }) {
  const paragraphs = Array.from({ length: 257 }, (_, index) => writeParagraph(index));
  const paths = Array.from({ length: pagesPerHost }, (_, page) => writePath(page));
  const bodyBytes = kb * 1024;

  /** Page number of a path, or undefined. */
  function findPage(path) {
    if (path === '/') return 0;
    const page = Number(path.slice(path.lastIndexOf('-') + 1, -5));
    return paths[page] === path ? page : undefined;
  }

  function listTargets(host, page) {
    const targets = new Set();
    for (let child = page * BRANCHES + 1; child <= page * BRANCHES + BRANCHES; child += 1) {
      if (child < pagesPerHost && targets.size < links) targets.add(child);
    }
    for (let draw = 0; targets.size < Math.min(links, pagesPerHost - 1) && draw < links * 20; draw += 1) {
      const target = mix(host * 7919 + page, draw) % pagesPerHost;
      if (target !== page) targets.add(target);
    }
    return [...targets];
  }

  function renderPage(host, page) {
    const name = titleOf(page);
    const targets = listTargets(host, page);
    const inMenu = targets.slice(0, Math.floor(links / 4));
    let html = `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${name} - host ${host}</title>
<meta name="description" content="${paragraphs[mix(page, host) % 257].slice(0, 120)}">
<link rel="canonical" href="${paths[page]}"><link rel="stylesheet" href="/style.css">
<style>.menu li{display:inline}.card{border:1px solid #ddd;padding:8px}</style></head>
<body><header class="top"><nav class="menu"><ul>${inMenu.map((target) => `<li><a href="${paths[target]}">${titleOf(target)}</a></li>`).join('')}</ul></nav></header>
<main><h1>${name}</h1>\n`;
    const inText = targets.slice(inMenu.length);
    inText.forEach((target, index) => {
      const text = paragraphs[mix(page * 31 + host, index) % 257];
      const cut = text.indexOf(' ', 60);
      html += `<div class="card"><p>${text.slice(0, cut)} <a href="${paths[target]}" title="To read next">${titleOf(target)}</a>${text.slice(cut)}</p></div>\n`;
    });
    const foot =
      '</main><footer><p>Page of a site that exists to be read quickly.</p></footer></body></html>\n';
    let filler = 0;
    while (html.length + foot.length + 8 < bodyBytes) {
      html += `<p>${paragraphs[mix(page + 1, host * 64 + filler) % 257].slice(0, bodyBytes - html.length - foot.length - 8)}</p>\n`;
      filler += 1;
    }
    return html + foot;
  }

  return { paths, findPage, renderPage };
}

function writePath(page) {
  if (page === 0) return '/';
  const section = SECTIONS[page % SECTIONS.length];
  return `/${section}/${WORDS[mix(page, 1) % WORDS.length]}-${WORDS[mix(page, 2) % WORDS.length]}-${page}.html`;
}

function titleOf(page) {
  return `The ${WORDS[mix(page, 1) % WORDS.length]} and the ${WORDS[mix(page, 2) % WORDS.length]}, part ${page}`;
}

function writeParagraph(index) {
  const words = Array.from({ length: 54 }, (_, at) => WORDS[mix(index, at + 100) % WORDS.length]);
  return `${words.join(' ')}.`;
}

/** A well-stirred 32-bit number from two small ones. */
function mix(one, other) {
  let hash = Math.imul(one ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(other + 0x165667b1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}
