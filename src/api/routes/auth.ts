import type { Route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

export function authRoutes(_parts: ServerParts): Route[] {
  return [];
}
