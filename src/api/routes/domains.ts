/** Domains over HTTP. */
import { listDomains } from '../../contract/domains.ts';
import { listDomains as readDomains } from '../../control/domains/list-domains.ts';
import { toPage, writeCursor } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

export function domainsRoutes({ db }: ServerParts): Route[] {
  return [
    route(listDomains, async ({ query }) => {
      const rows = await readDomains(db, query.status, query.limit + 1);
      const items = rows.map(({ domain, status, pagesCrawled, pagesDiscovered, errors, lastCrawledAt }) => ({
        ...{ domain, status, pagesCrawled, pagesDiscovered, errors, lastCrawledAt },
      }));
      return toPage(items, query.limit, (last) => writeCursor('domains', [last.domain]));
    }),
  ];
}
