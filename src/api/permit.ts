/** Whether somebody may come through a door: the one place that decides it. */
import type { Endpoint } from '../contract/endpoint.ts';
import type { Principal } from '../control/access/principal.ts';
import { Refusal } from './refusal.ts';

export function permit(principal: Principal, endpoint: Pick<Endpoint, 'allows'>): void {
  if (principal.scopes.includes(endpoint.allows)) return;
  if (principal.kind === 'anonymous') {
    throw new Refusal('not-logged-in', 'This is not for everybody: log in, or show a key.', {
      hint: 'POST /api/auth/login, or send "Authorization: Bearer fgr_…"',
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
  const who = principal.kind === 'key' ? 'This key' : `The role ${principal.role}`;
  throw new Refusal('not-permitted', `${who} does not include "${endpoint.allows}", which is needed here.`);
}
