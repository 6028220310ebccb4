/** Products over HTTP. */
import { z } from 'zod';
import { getProduct, listProducts } from '../../contract/products.ts';
import { rowId } from '../../contract/values.ts';
import { listProducts as list, readProduct } from '../../control/products/read-products.ts';
import { readCursor, toPage, writeCursor } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

const position = z.tuple([rowId]);

export function productsRoutes({ db }: ServerParts): Route[] {
  return [
    route(listProducts, async ({ query: { cursor, limit, order, domain } }) => {
      const name = `products:${order}`;
      const [after] = readCursor(name, position, cursor) ?? [];
      const rows = await list(db, domain, order, after, limit + 1);
      return toPage(rows, limit, ({ id }) => writeCursor(name, [id]));
    }),
    route(getProduct, ({ params }) => readProduct(db, params.id)),
  ];
}
