/** Parsers over HTTP. */
import * as contract from '../../contract/parsers.ts';
import { listParsers, readParser } from '../../control/parsers/read-parsers.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

export function parsersRoutes({ db, parsers }: ServerParts): Route[] {
  return [
    route(contract.listParsers, async () => ({ items: await listParsers(db, parsers) })),
    route(contract.getParser, ({ params, query }) => readParser(db, parsers, params.name, query)),
  ];
}
