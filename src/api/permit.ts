/** Whether somebody may come through a door: the one place that decides it. */
import { scopesOfRole } from '../contract/access.ts';
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
  throw new Refusal('not-permitted', `${who} does not include "${endpoint.allows}", which is needed here.`, {
    hint: hintFor(principal, endpoint),
  });
}

function hintFor({ kind, role }: Principal, { allows }: Pick<Endpoint, 'allows'>): string {
  if (allows === 'self') return 'log in with a password (POST /api/auth/login): no key can do this';
  if (allows === 'work') return 'only the key of a bot can do this: POST /api/admin/keys makes one';
  if (kind === 'key' && scopesOfRole(role).includes(allows)) {
    return `take a key that has "${allows}" among its scopes: POST /api/auth/keys makes one`;
  }
  return 'GET /api/auth/me tells what this account may do; an administrator may do more';
}
