/** Live events over HTTP. */
import { LIVE_TYPES, streamEvents } from '../../contract/live.ts';
import { findDomain } from '../../control/domains/find-domain.ts';
import { type Place, readPlace } from '../../control/live/place.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

export function liveRoutes({ db, live }: ServerParts): Route[] {
  return [
    route(streamEvents, async ({ query, request, reply }) => {
      const domain = query.domain === undefined ? undefined : await findDomain(db, query.domain);
      // A stream has no end that somebody who wants the headers only could wait for.
      if (request.method === 'HEAD') return reply.type('text/event-stream').send('');
      const after = findPlace(request.headers['last-event-id'], query.after);
      return live.open({ request, reply, types: new Set(query.types ?? LIVE_TYPES), domain, after });
    }),
  ];
}

/** A browser says where it was by itself, also with an address that names an older place. */
function findPlace(
  header: string | string[] | undefined,
  query: string | undefined,
): Place | 'unknown' | undefined {
  const text = typeof header === 'string' && header !== '' ? header : query;
  return text === undefined ? undefined : (readPlace(text) ?? 'unknown');
}
