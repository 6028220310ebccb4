import type { Route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

export function jobsRoutes(_parts: ServerParts): Route[] {
  return [];
}
