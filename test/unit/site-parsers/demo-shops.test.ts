import { expect, test } from 'vitest';
import { MOSS_AND_MARROW } from '../../../src/demo/moss-and-marrow.ts';
import { openShop } from '../../../src/demo/shop.ts';
import { stockShelves } from '../../../src/demo/shop-catalogue.ts';
import type { Product, ShopPlan } from '../../../src/demo/shop-plan.ts';
import { TINKER_AND_SONS } from '../../../src/demo/tinker-and-sons.ts';
import { extractPage } from '../../../src/engine/extract/extract-page.ts';
import type { Extraction } from '../../../src/engine/extract/product-fields.ts';
import { parserFor } from '../../../src/engine/extract/registry.ts';
import { openParsers } from '../../../src/engine/extract/site/open-parsers.ts';
import { parseHtml } from '../../../src/engine/parse/scan-html.ts';

const SHOPS = [MOSS_AND_MARROW, TINKER_AND_SONS];
const AVAILABILITIES = { InStock: 'in_stock', OutOfStock: 'out_of_stock', PreOrder: 'preorder' } as const;

function originOf({ domain }: ShopPlan): string {
  return `http://${domain}:8080/`;
}

async function openReader(plan: ShopPlan): Promise<(path: string) => Extraction> {
  const shop = openShop(plan, originOf(plan));
  const parser = parserFor(await openParsers(), plan.domain.replace('.localhost', ''));
  if (parser === undefined) throw new Error('there is no parser for the shop');
  return (path) => {
    const html = Buffer.from(shop.answer({ path, query: new URLSearchParams() }).body);
    const url = new URL(path, originOf(plan)).href;
    const { baseUrl, language } = parseHtml({ html, url, contentLanguage: undefined, maxLinks: 0 });
    return extractPage(parser, { html, url, baseUrl, language });
  };
}

function expected(plan: ShopPlan, product: Product): object {
  const url = `${originOf(plan)}images/${product.slug}.${plan.pictures}`;
  return {
    ...{ name: product.name, description: product.blurb, currency: plan.currency, brand: product.brand },
    price: String(product.pricePence / 100),
    availability: AVAILABILITIES[product.availability],
    ...{ rating: String(product.ratingTenths / 10), reviewCount: product.reviewCount, sku: product.sku },
    category: [product.category.title],
    images: [expect.objectContaining({ url })],
  };
}

test.each(SHOPS)('reads every product of $name from its page', async (plan) => {
  const read = await openReader(plan);
  const products = stockShelves(plan).flatMap((shelf) => shelf.products);
  expect(products.length).toBeGreaterThan(50);
  for (const product of products) {
    const { verdict, fields, problems } = read(`/p/${product.slug}`);
    const values = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]));
    expect(values).toMatchObject(expected(plan, product));
    expect({ verdict, problems }).toEqual({ verdict: 'valid', problems: [] });
    for (const field of ['name', 'price', 'brand', 'category'] as const) {
      expect(fields[field]?.source).toBe('site-parser');
    }
  }
});

test.each(SHOPS)('finds none on the other pages of $name', async (plan) => {
  const read = await openReader(plan);
  for (const path of ['/', '/about', `/c/${stockShelves(plan)[0]?.category.slug}/`]) {
    expect(read(path)).toMatchObject({ verdict: 'none', fields: {} });
  }
});
