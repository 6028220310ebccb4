/** Nobody makes, changes or ends somebody who may do more than they may themselves: the rule is scopesToGovern. */
import { type Role, scopesToGovern } from '../../contract/access.ts';
import { ForagerError } from '../../platform/errors.ts';
import type { Actor } from './actor.ts';

/** To be asked for the role that somebody has, and for the one they are to have. */
export function guardPower({ scopes }: Actor, role: Exclude<Role, 'anonymous'>): void {
  if (scopes === undefined) return;
  const missing = scopesToGovern(role).filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return;
  const who = { user: 'a user', admin: 'an administrator', bot: 'a bot' }[role];
  const lacking = missing.map((scope) => `"${scope}"`).join(', ');
  throw new ForagerError('not-permitted', `The key may not make or change ${who}: it lacks ${lacking}.`, {
    hint: 'use a key with these scopes as well, or log in as an administrator',
  });
}
