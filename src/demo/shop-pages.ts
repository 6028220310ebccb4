import type { Frame } from './html.ts';
import { escapeHtml, renderLinks, renderPage, renderParagraphs } from './html.ts';
import {
  describeStock,
  formatPrice,
  renderFacts,
  renderJsonLd,
  renderOffer,
  renderRating,
} from './product-markup.ts';
import { hashText } from './random.ts';
import type { Shelf } from './shop-catalogue.ts';
import { findRelated } from './shop-catalogue.ts';
import type { Category, Product, ShopPlan } from './shop-plan.ts';

export interface Shop {
  readonly plan: ShopPlan;
  readonly origin: string;
  readonly frame: Frame;
  readonly shelves: readonly Shelf[];
}

export const PRODUCTS_PER_PAGE = 8;

export function renderHome(shop: Shop): string {
  const tracking = '?utm_source=home&utm_medium=window&utm_campaign=spring';
  const windowDisplay = shop.shelves.flatMap((shelf) => shelf.products.slice(0, 1));
  const categories = shop.shelves.map(
    ({ category }) =>
      `<li><h3><a href="/c/${category.slug}/">${escapeHtml(category.title)}</a></h3><p>${escapeHtml(category.blurb)}</p></li>`,
  );
  return renderPage(shop.frame, {
    title: shop.plan.tagline,
    description: shop.plan.description,
    canonicalUrl: shop.origin,
    main: `<h1>${escapeHtml(shop.plan.name)}</h1>
<p>${escapeHtml(shop.plan.description)}</p>
<h2>In the window this week</h2>
${renderShelf(shop.plan, windowDisplay, (product) => `/p/${product.slug}${tracking}`)}
<h2>Along the shelves</h2>
<ul class="shelf">${categories.join('\n')}</ul>`,
  });
}

export interface CategoryView {
  readonly category: Category;
  readonly products: readonly Product[];
  readonly page: number;
  readonly pageCount: number;
  readonly colour: string | undefined;
  readonly size: string | undefined;
}

export function renderCategory(shop: Shop, view: CategoryView): string {
  const { category } = view;
  const path = `/c/${category.slug}/`;
  const narrowing = [view.colour, view.size].filter((value) => value !== undefined).join(', ');
  const suffix = narrowing === '' ? (view.page > 1 ? `, page ${view.page}` : '') : ` (${narrowing})`;
  return renderPage(shop.frame, {
    title: `${category.title}${suffix}`,
    description: category.blurb,
    canonicalUrl: `${shop.origin.slice(0, -1)}${path}${narrowing === '' && view.page > 1 ? `?page=${view.page}` : ''}`,
    breadcrumbs: renderBreadcrumbs(shop, category),
    main: `<h1>${escapeHtml(category.title + suffix)}</h1>
<p>${escapeHtml(category.blurb)}</p>
${shop.plan.hasFacets ? renderFacets(shop.plan, path, view) : ''}
<p class="stock"><a href="${path}?sort=price">Cheapest first</a> · <a href="${path}?sort=name">By name</a></p>
${renderShelf(shop.plan, view.products, chooseProductHref)}
${renderPagination(path, view)}`,
  });
}

/** About every seventh product is also known under its category's path: one page, two addresses. */
export function hasSecondAddress(product: Product): boolean {
  return hashText(product.slug) % 7 === 0;
}

function chooseProductHref(product: Product): string {
  return hasSecondAddress(product) ? `/c/${product.category.slug}/${product.slug}` : `/p/${product.slug}`;
}

function renderFacets(plan: ShopPlan, path: string, view: CategoryView): string {
  const link = (colour: string | undefined, size: string | undefined): string => {
    const query = new URLSearchParams();
    if (colour !== undefined) query.set('colour', colour);
    if (size !== undefined) query.set('size', size);
    const text = query.toString();
    return text === '' ? path : `${path}?${text}`;
  };
  return `<div class="facets">
${renderLinks(plan.colours.map((colour) => ({ href: link(colour, view.size), text: colour })))}
${renderLinks(plan.sizes.map((size) => ({ href: link(view.colour, size), text: size })))}
</div>`;
}

function renderPagination(path: string, view: CategoryView): string {
  if (view.pageCount < 2) return '';
  const href = (page: number): string => (page === 1 ? path : `${path}?page=${page}`);
  const links = Array.from({ length: view.pageCount }, (_, index) => ({
    href: href(index + 1),
    text: `Page ${index + 1}`,
  }));
  return `<nav class="pages" aria-label="Pages">${renderLinks(links)}</nav>`;
}

function renderShelf(
  plan: ShopPlan,
  products: readonly Product[],
  chooseHref: (product: Product) => string,
): string {
  if (products.length === 0) return '<p>Nothing of the kind just now. Try another colour?</p>';
  const items = products.map(
    (product) => `<li><a href="${escapeHtml(chooseHref(product))}">
<img src="/images/${product.slug}.${plan.pictures}" alt="${escapeHtml(product.name)}" loading="lazy" width="128" height="128">
${escapeHtml(product.name)}</a><br><span class="price">${formatPrice(plan, product.pricePence)}</span>
<span class="stock">${describeStock(product.availability)}</span></li>`,
  );
  return `<ul class="shelf">${items.join('\n')}</ul>`;
}

export function renderProduct(shop: Shop, product: Product): string {
  const { plan, origin } = shop;
  const isMicrodata = plan.markup === 'microdata';
  const property = (name: string): string => (isMicrodata ? ` itemprop="${name}"` : '');
  const scope = isMicrodata ? ' itemscope itemtype="https://schema.org/Product"' : '';
  return renderPage(shop.frame, {
    title: product.name,
    description: product.blurb,
    canonicalUrl: `${origin}p/${product.slug}`,
    head: isMicrodata ? '' : renderJsonLd(plan, product, origin),
    breadcrumbs: renderBreadcrumbs(shop, product.category, product),
    main: `<div class="product"${scope}>
<img${property('image')} src="/images/${product.slug}.${plan.pictures}" alt="${escapeHtml(product.name)}" width="256" height="256">
<div><h1${property('name')}>${escapeHtml(product.name)}</h1>
<p${property('description')}>${escapeHtml(product.blurb)}</p>
${renderOffer(plan, product)}
${renderRating(plan, product)}
${renderFacts(plan, product)}
<p><a rel="nofollow" href="/basket?add=${product.sku}">Put it in the basket</a></p></div>
</div>
<section>${renderParagraphs(product.story)}</section>
<h2>Goes well with</h2>
${renderShelf(plan, findRelated(product, shop.shelves), (other) => `/p/${other.slug}`)}`,
  });
}

function renderBreadcrumbs(shop: Shop, category: Category, product?: Product): string {
  const steps = [
    `<li><a href="/">${escapeHtml(shop.plan.name)}</a></li>`,
    `<li><a href="/c/${category.slug}/">${escapeHtml(category.title)}</a></li>`,
    ...(product === undefined ? [] : [`<li aria-current="page">${escapeHtml(product.name)}</li>`]),
  ];
  return `<nav class="crumbs" aria-label="You are here"><ol>${steps.join('')}</ol></nav>\n`;
}
