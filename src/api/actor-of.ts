/** Whoever sends a request, as acts are recorded. */
import type { Actor } from '../control/access/actor.ts';
import type { Call } from './route.ts';

export function actorOf({
  principal,
  address,
  requestId,
}: Pick<Call<never>, 'principal' | 'address' | 'requestId'>): Actor {
  return { name: principal.actor, address, requestId, scopes: principal.scopes };
}
