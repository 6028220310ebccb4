/** Who may do what. A route names one scope; a role is a set of scopes; a key has some of its owner's. */

/**
 * public    anybody who can reach the server
 * known     whoever has shown who they are
 * self      one's own password, sessions and keys: for people, not for their keys
 * read      everything that was crawled, and how the crawl goes
 * crawl     adding URLs and seeds, tasks and batches, recovering what a dead worker held
 * manage    domains, pages, jobs: changing, resetting, deleting
 * accounts  users, everybody's keys, the audit log; changing somebody takes what they may do besides (scopesToGovern)
 * work      pulling jobs and handing in results, for bots
 */
export const SCOPES = ['public', 'known', 'self', 'read', 'crawl', 'manage', 'accounts', 'work'] as const;
export type Scope = (typeof SCOPES)[number];

export const ROLES = ['anonymous', 'user', 'admin', 'bot'] as const;
export type Role = (typeof ROLES)[number];

const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  anonymous: ['public'],
  user: ['public', 'known', 'self', 'read'],
  admin: ['public', 'known', 'self', 'read', 'crawl', 'manage', 'accounts'],
  bot: ['public', 'known', 'work'],
};

export function scopesOfRole(role: Role): readonly Scope[] {
  return ROLE_SCOPES[role];
}

/** What a key may be given; who it is it always shows, and nobody's own affairs are a program's. */
export const KEY_SCOPES = ['read', 'crawl', 'manage', 'accounts', 'work'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/**
 * What whoever makes, changes or ends an account or key of this role must hold: all that a key of the role could be
 * given, or a key for accounts alone could make itself an administrator. A bot's work is no person's, so its keys are
 * an administrator's matter. A session of an administrator holds enough for everybody.
 */
export function scopesToGovern(role: Exclude<Role, 'anonymous'>): readonly KeyScope[] {
  const held = ROLE_SCOPES[role === 'bot' ? 'admin' : role];
  return KEY_SCOPES.filter((scope) => held.includes(scope));
}

/** What a key of this role with these scopes may do: never more than the role. */
export function scopesOfKey(role: Role, scopes: readonly string[]): readonly Scope[] {
  const granted = ROLE_SCOPES[role].filter((scope) => scopes.includes(scope) && scope !== 'self');
  return ['public', 'known', ...granted.filter((scope) => scope !== 'public' && scope !== 'known')];
}
