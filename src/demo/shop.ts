import { gzipSync } from 'node:zlib';
import type { DemoSite, Routes } from './demo-site.ts';
import { redirectTo, replyWithDocument, replyWithHtml, replyWithTrouble } from './demo-site.ts';
import { renderPage } from './html.ts';
import { makePdf } from './pdf.ts';
import { drawPng, drawSvg } from './picture.ts';
import type { Shelf } from './shop-catalogue.ts';
import { stockShelves } from './shop-catalogue.ts';
import { addShopCorners, createShopFrame } from './shop-corners.ts';
import type { CategoryView, Shop } from './shop-pages.ts';
import {
  hasSecondAddress,
  PRODUCTS_PER_PAGE,
  renderCategory,
  renderHome,
  renderProduct,
} from './shop-pages.ts';
import type { ShopPlan } from './shop-plan.ts';
import type { SitemapEntry } from './sitemap.ts';
import { renderSitemap, renderSitemapIndex } from './sitemap.ts';
import { renderStyle } from './style.ts';

/** Opens a shop at the given origin: shelves, products and pictures, and the odd corners every shop has. */
export function openShop(plan: ShopPlan, origin: string, priceList = 0): DemoSite {
  const shelves = stockShelves(plan, priceList);
  const shop: Shop = { plan, origin, frame: createShopFrame(plan), shelves };
  const routes: Routes = new Map();

  routes.set('/', () => replyWithHtml(renderHome(shop)));
  routes.set('/style.css', () => replyWithDocument('text/css; charset=utf-8', renderStyle(plan.palette)));
  routes.set('/favicon.svg', () =>
    replyWithDocument('image/svg+xml', drawSvg(plan.name, plan.name.length * 25)),
  );
  for (const shelf of shop.shelves) addShelf(routes, shop, shelf);
  addShopCorners(routes, shop);
  addMachineFiles(routes, shop);

  return {
    name: plan.name,
    domain: plan.domain,
    url: origin,
    description: plan.description,
    answer: (request) => routes.get(request.path)?.(request) ?? replyWithTrouble(404, renderNotFound(shop)),
  };
}

function addShelf(routes: Routes, shop: Shop, shelf: Shelf): void {
  const { category, products } = shelf;
  routes.set(`/c/${category.slug}/`, ({ query }) => {
    const view = chooseView(shelf, query);
    return view === undefined
      ? replyWithTrouble(404, renderNotFound(shop))
      : replyWithHtml(renderCategory(shop, view));
  });
  // The address without its slash is a permanent redirect, as most shops have it.
  routes.set(`/c/${category.slug}`, () => redirectTo(`/c/${category.slug}/`, 301));

  for (const product of products) {
    const answer = () =>
      replyWithHtml(renderProduct(shop, product), {
        'last-modified': new Date(`${product.modifiedOn}T08:00:00Z`).toUTCString(),
      });
    routes.set(`/p/${product.slug}`, answer);
    if (hasSecondAddress(product)) {
      routes.set(`/c/${category.slug}/${product.slug}`, answer);
    }
    routes.set(`/images/${product.slug}.${shop.plan.pictures}`, () =>
      shop.plan.pictures === 'svg'
        ? replyWithDocument('image/svg+xml', drawSvg(product.name, product.hue))
        : replyWithDocument('image/png', drawPng(product.name, product.hue)),
    );
  }
}

function chooseView(shelf: Shelf, query: URLSearchParams): CategoryView | undefined {
  const colour = query.get('colour') ?? undefined;
  const size = query.get('size') ?? undefined;
  const wanted = shelf.products.filter(
    (product) =>
      (colour === undefined || product.colour === colour) && (size === undefined || product.size === size),
  );
  if (query.get('sort') === 'price') wanted.sort((one, other) => one.pricePence - other.pricePence);
  if (query.get('sort') === 'name') wanted.sort((one, other) => one.name.localeCompare(other.name, 'en'));
  if (colour !== undefined || size !== undefined) {
    return { category: shelf.category, products: wanted, page: 1, pageCount: 1, colour, size };
  }
  const pageCount = Math.ceil(wanted.length / PRODUCTS_PER_PAGE);
  const page = Number(query.get('page') ?? '1');
  if (!Number.isInteger(page) || page < 1 || page > pageCount) return undefined;
  const products = wanted.slice((page - 1) * PRODUCTS_PER_PAGE, page * PRODUCTS_PER_PAGE);
  return { category: shelf.category, products, page, pageCount, colour, size };
}

/** What only machines read. The catalogue's sitemap is gzipped and hangs under an index. */
function addMachineFiles(routes: Routes, shop: Shop): void {
  const { plan, origin, shelves } = shop;
  const products: SitemapEntry[] = shelves
    .flatMap((shelf) => shelf.products)
    .map((product) => ({ url: `${origin}p/${product.slug}`, modifiedOn: product.modifiedOn }));
  const rooms: SitemapEntry[] = [
    { url: origin, modifiedOn: '2025-03-14' },
    ...shelves.map(({ category }) => ({ url: `${origin}c/${category.slug}/`, modifiedOn: '2025-03-14' })),
  ];
  const index = ['sitemap-rooms.xml', 'sitemap-products.xml.gz'].map((file) => ({
    url: `${origin}${file}`,
    modifiedOn: '2025-03-14',
  }));
  routes.set('/robots.txt', () =>
    replyWithDocument('text/plain; charset=utf-8', `${plan.robotsRules}\nSitemap: ${origin}sitemap.xml\n`),
  );
  routes.set('/sitemap.xml', () => replyWithDocument('application/xml', renderSitemapIndex(index)));
  routes.set('/sitemap-rooms.xml', () => replyWithDocument('application/xml', renderSitemap(rooms)));
  routes.set('/sitemap-products.xml.gz', () =>
    replyWithDocument('application/gzip', gzipSync(renderSitemap(products))),
  );
  routes.set('/catalogue.pdf', () =>
    replyWithDocument(
      'application/pdf',
      makePdf([plan.name, plan.tagline, '', ...plan.categories.map(({ title }) => `- ${title}`)]),
    ),
  );
}

function renderNotFound(shop: Shop): string {
  return renderPage(shop.frame, {
    title: 'Not on any shelf',
    description: 'This page is not here.',
    main: '<h1>Not on any shelf</h1><p>We looked in the back, and under the counter. It is not here. <a href="/">Back to the door</a>.</p>',
  });
}
