/** Results of bots over HTTP. */
import { getTaskResult } from '../../contract/results.ts';
import { readResult } from '../../control/results/read-result.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

export function resultsRoutes({ db }: ServerParts): Route[] {
  return [route(getTaskResult, ({ params }) => readResult(db, params.id))];
}
