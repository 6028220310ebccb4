/** The pages of `--only extraction`: those of the demo shops, and large ones as shops of today write them. */

const WORDS =
  'oak brass linen river stone quiet morning shelf lantern paper salt garden winter copper wool harbour slate'.split(
    ' ',
  );

/** Every page that can be reached in a shop of the demo web, asked of it directly. */
export function walkDemoShop(shop) {
  const pages = [];
  const seen = new Set(['/']);
  for (const path of seen) {
    if (seen.size > 2000) break;
    const url = new URL(path, shop.url);
    const reply = shop.answer({ path: url.pathname, query: url.searchParams });
    if (reply.status !== 200 || !String(reply.headers['content-type']).startsWith('text/html')) continue;
    const body = Buffer.from(reply.body);
    pages.push({ body, url: url.href });
    for (const [, href] of body.toString('utf8').matchAll(/href="(\/[^"#]*)"/g))
      seen.add(href.replaceAll('&amp;', '&'));
  }
  return pages;
}

/** About 70 KB each: `kind` says how they tell of their product, if they do. */
export function makeShopPages(kind, count) {
  return Array.from({ length: count }, (_, number) => ({
    url: `https://shop.example/products/thing-${number}`,
    body: Buffer.from(makePage(kind, number)),
  }));
}

function makePage(kind, number) {
  const name = `${pick(number)} ${pick(number * 7 + 3)} ${number}`;
  const price = `${10 + (number % 90)}.${String(number % 100).padStart(2, '0')}`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${name} – Shop</title>
<meta property="og:title" content="${name}"><meta property="og:site_name" content="Shop">
${kind === 'json-ld' ? jsonLd(name, price, number) : ''}
<script>${'window.dataLayer=window.dataLayer||[];dataLayer.push({event:"view",at:1});'.repeat(150)}</script>
<style>${'.grid__item{display:flex;margin:0 auto;color:#333}@media(min-width:40em){.grid{gap:1rem}}'.repeat(60)}</style>
</head><body><header class="site-header"><nav><ul>${menu(number)}</ul></nav>${kind === 'blog' ? '' : '<a href="/cart">Cart</a>'}</header>
<main>${main(kind, name, price, number)}</main>
<footer class="site-footer"><ul>${menu(number + 5)}</ul></footer>
<script>${'(function(){var a=document.querySelector(".x");if(a){a.hidden=false}})();'.repeat(120)}</script></body></html>`;
}

function main(kind, name, price, number) {
  if (kind === 'blog') return `${article(name)}${comments(number)}`;
  if (kind === 'category')
    return `<h1>${name}</h1><ul class="grid">${cards(number)}${cards(number + 60)}</ul>`;
  const own = kind === 'article' ? article(name) : product(kind, name, price, number);
  return `${own}
<section class="related-products"><h2>More</h2><ul>${cards(number)}</ul></section>`;
}

function jsonLd(name, price, number) {
  const graph = [
    { '@type': 'WebPage', '@id': '#page', name, breadcrumb: { '@id': '#crumbs' } },
    {
      '@type': 'BreadcrumbList',
      '@id': '#crumbs',
      itemListElement: ['Home', 'Rooms', 'Lamps', name].map((each, at) => ({
        '@type': 'ListItem',
        position: at + 1,
        name: each,
        item: `https://shop.example/${at}`,
      })),
    },
    {
      '@type': 'Product',
      name,
      sku: `S-${number}`,
      description: sentence(number, 80),
      image: [`https://shop.example/img/${number}.jpg`],
      brand: { '@type': 'Brand', name: 'Larkspur' },
      aggregateRating: { '@type': 'AggregateRating', ratingValue: '4.5', reviewCount: 12 },
      offers: { '@type': 'Offer', price, priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
    },
  ];
  return `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@graph': graph })}</script>`;
}

function product(kind, name, price, number) {
  const isData = kind === 'microdata';
  const prop = (value) => (isData ? ` itemprop="${value}"` : '');
  const scope = (type) => (isData ? ` itemscope itemtype="https://schema.org/${type}"` : '');
  return `<div class="product"${scope('Product')}><h1${prop('name')}>${name}</h1>
<div class="price"${prop('offers')}${scope('Offer')}><span${prop('price')}>${price}</span>${isData ? '<meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="https://schema.org/InStock">' : ' €'}</div>
<p class="stock">In stock</p><form action="/cart/add"><button class="add-to-cart">Add to cart</button></form>
<div class="description"${prop('description')}>${paragraphs(number, 30)}</div></div>`;
}

function article(name) {
  return `<article><h1>${name}</h1>${paragraphs(3, 34)}</article>`;
}

function comments(number) {
  return Array.from(
    { length: 60 },
    (_, at) =>
      `<div class="comment" id="comment-${at}"><a class="comment__author" href="/people/${at}">${pick(at + number)}</a> <time datetime="2024-05-02">2 May</time><p>${sentence(at, 40)}</p></div>`,
  ).join('\n');
}

function cards(number) {
  return Array.from({ length: 60 }, (_, at) => {
    const name = `${pick(number + at)} ${pick(at * 3)}`;
    return `<li class="grid__item card"><a href="/products/${at}-${number}"><img src="/img/${at}.jpg" srcset="/img/${at}-400.jpg 400w, /img/${at}-800.jpg 800w" alt="${name}" loading="lazy" width="300" height="300"><h3 class="card__heading">${name}</h3></a><div class="price"><span class="price-item">${at + 3}.50 €</span></div><p class="card__text">${sentence(at, 12)}</p></li>`;
  }).join('\n');
}

function menu(number) {
  return Array.from(
    { length: 60 },
    (_, at) => `<li><a href="/c/${at}">${pick(at + number)} &amp; ${pick(at)}</a></li>`,
  ).join('');
}

function paragraphs(number, count) {
  return Array.from(
    { length: count },
    (_, at) => `<p>${sentence(number + at, 60)} <a href="/c/${at}">${pick(at)}</a>.</p>`,
  ).join('\n');
}

function sentence(number, count) {
  return Array.from({ length: count }, (_, at) => pick(number * 5 + at * 3)).join(' ');
}

function pick(number) {
  return WORDS[number % WORDS.length];
}
