/** Schedulers over HTTP. */
import * as contract from '../../contract/schedulers.ts';
import { listSchedulers } from '../../control/schedulers/list-schedulers.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

export function schedulersRoutes({ db }: ServerParts): Route[] {
  return [route(contract.listSchedulers, async () => ({ items: await listSchedulers(db) }))];
}
