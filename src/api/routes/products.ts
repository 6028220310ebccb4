/** Products over HTTP. */
import { z } from 'zod';
import * as contract from '../../contract/products.ts';
import { rowId } from '../../contract/values.ts';
import { findDomain } from '../../control/domains/find-domain.ts';
import { listProductChanges } from '../../control/products/list-product-changes.ts';
import { listProducts } from '../../control/products/list-products.ts';
import type { ProductSort } from '../../control/products/product-walks.ts';
import { expectProduct, readHistory, readProduct } from '../../control/products/read-products.ts';
import { momentInCursor, readCursor, toPage, writeCursor } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

const decimalInCursor = z.string().regex(/^\d{1,14}(?:\.\d{1,6})?$/);
/** The key of a product in each order, as text, and its number. */
const PLACES: Readonly<Record<ProductSort, z.ZodType<[string, number]>>> = {
  id: z.tuple([z.string().regex(/^\d{1,15}$/), rowId]),
  updatedAt: z.tuple([momentInCursor, rowId]),
  price: z.tuple([decimalInCursor, rowId]),
  rating: z.tuple([decimalInCursor, rowId]),
};
const changePlace = z.tuple([momentInCursor, rowId]);
const pointPlace = z.tuple([momentInCursor]);

export function productsRoutes({ db }: ServerParts): Route[] {
  const idOf = async (domain: string | undefined): Promise<number | undefined> =>
    domain === undefined ? undefined : (await findDomain(db, domain)).id;
  return [
    route(contract.listProducts, async ({ query }) => {
      const { cursor, limit, sort, order, domain, ...filter } = query;
      const name = `products:${sort}:${order}`;
      const [place, id] = readCursor(name, PLACES[sort], cursor) ?? [];
      const after = place === undefined || id === undefined ? undefined : { place, id };
      const meant = { ...filter, domainId: await idOf(domain) };
      const { products, next } = await listProducts(db, meant, { sort, order, after, limit });
      const nextCursor = next === undefined ? null : writeCursor(name, [next.place, next.id]);
      return { items: [...products], nextCursor };
    }),
    route(contract.listProductChanges, async ({ query: { cursor, limit, domain, field, since } }) => {
      const [atText, id] = readCursor('product-changes', changePlace, cursor) ?? [];
      const after = atText === undefined || id === undefined ? undefined : { atText, id };
      const filter = { field, since, domainId: await idOf(domain) };
      const { changes, next } = await listProductChanges(db, filter, after, limit);
      const nextCursor = next === undefined ? null : writeCursor('product-changes', [next.atText, next.id]);
      return { items: changes.map(({ atText: _atText, ...change }) => change), nextCursor };
    }),
    route(contract.getProduct, ({ params }) => readProduct(db, params.id)),
    route(contract.listProductHistory, async ({ params: { id }, query: { cursor, limit } }) => {
      await expectProduct(db, id);
      const name = `product-history:${id}`;
      const [before] = readCursor(name, pointPlace, cursor) ?? [];
      const page = toPage(await readHistory(db, id, before, limit + 1), limit, ({ atText }) =>
        writeCursor(name, [atText]),
      );
      return { ...page, items: page.items.map(({ atText: _atText, ...point }) => point) };
    }),
  ];
}
