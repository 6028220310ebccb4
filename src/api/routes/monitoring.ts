import type { Route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

export function monitoringRoutes(_parts: ServerParts): Route[] {
  return [];
}
