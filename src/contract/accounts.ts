/**
 * Users, everybody's keys, and the audit log. Whoever changes somebody must hold all that a key of their role could be
 * given (scopesToGovern): a session of an administrator does, a key for accounts alone does not.
 */
import { z } from 'zod';
import {
  apiKey,
  endedSessions,
  keyExpiry,
  keyName,
  newApiKey,
  passwordText,
  revokeKeys,
  userRole,
} from './auth.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import { flagInText, idParams, lineOfText, rowId, time, timeInText } from './values.ts';

export const USERNAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

export const username = z
  .string()
  .regex(
    USERNAME,
    'must be small letters, digits, ".", "_" and "-", at most 64, beginning with a letter or digit',
  );
/** In a path any text may stand: what is no name is no user. */
const userParams = z.strictObject({ username: lineOfText(100).min(1) });

export const user = z
  .object({
    username: z.string(),
    role: userRole,
    isEnabled: z.boolean(),
    mustChangePassword: z.boolean().describe('The password was generated'),
    passwordExpiresAt: time.nullable().describe('A generated password stops working then'),
    createdAt: time,
    updatedAt: time,
    lastLoginAt: time.nullable(),
  })
  .meta({ id: 'User' });

const oneTimePassword = z
  .string()
  .nullable()
  .describe('Generated, shown this once; works until passwordExpiresAt or until it is changed');

export const listUsers = endpoint({
  ...{ name: 'listUsers', method: 'GET', path: '/api/admin/users', group: 'accounts', allows: 'accounts' },
  summary: 'Users, by name',
  query: z.strictObject(pageQuery),
  answer: pageOf(user),
  problems: ['bad-cursor'],
});

export const createUser = endpoint({
  ...{ name: 'createUser', method: 'POST', path: '/api/admin/users', group: 'accounts', allows: 'accounts' },
  summary: 'Add a user',
  description:
    'Without a password one is generated, shown in this answer and never again, and works for 24 hours.',
  body: z.strictObject({ username, role: userRole, password: passwordText.optional() }),
  status: 201,
  answer: z.object({ user, password: oneTimePassword }),
  problems: ['not-permitted', 'user-exists', 'weak-password', 'overloaded'],
});

export const getUser = endpoint({
  ...{ name: 'getUser', method: 'GET', path: '/api/admin/users/:username', group: 'accounts' },
  allows: 'accounts',
  summary: 'One user',
  params: userParams,
  answer: user,
  problems: ['unknown-user'],
});

export const changeUser = endpoint({
  ...{ name: 'changeUser', method: 'PATCH', path: '/api/admin/users/:username', group: 'accounts' },
  allows: 'accounts',
  summary: 'Give a user another role, or switch the account off or on',
  description: 'Takes effect at once, also on sessions and keys. Switching an account off ends its sessions.',
  params: userParams,
  body: z
    .strictObject({ role: userRole.optional(), isEnabled: z.boolean().optional() })
    .refine((body) => body.role !== undefined || body.isEnabled !== undefined, 'must name role or isEnabled'),
  answer: user,
  problems: ['not-permitted', 'unknown-user', 'last-admin'],
});

export const deleteUser = endpoint({
  ...{ name: 'deleteUser', method: 'DELETE', path: '/api/admin/users/:username', group: 'accounts' },
  allows: 'accounts',
  summary: 'Delete a user with sessions and keys',
  params: userParams,
  problems: ['not-permitted', 'unknown-user', 'last-admin'],
});

export const resetPassword = endpoint({
  ...{
    name: 'resetPassword',
    method: 'POST',
    path: '/api/admin/users/:username/password',
    group: 'accounts',
  },
  allows: 'accounts',
  summary: 'Give a user a new password that is generated and shown once',
  description: 'Ends all sessions of the user. Keys stay valid unless they are to be revoked.',
  params: userParams,
  body: z.strictObject({ revokeKeys }),
  isBodyOptional: true,
  answer: z.object({
    username: z.string(),
    password: z.string().describe('Shown this once'),
    passwordExpiresAt: time,
    endedSessions,
  }),
  problems: ['not-permitted', 'unknown-user', 'overloaded'],
});

export const unlockUser = endpoint({
  ...{ name: 'unlockUser', method: 'POST', path: '/api/admin/users/:username/unlock', group: 'accounts' },
  allows: 'accounts',
  summary: 'Let a user log in again who is made to wait after failed logins',
  params: userParams,
  problems: ['not-permitted', 'unknown-user'],
});

export const listKeys = endpoint({
  ...{ name: 'listKeys', method: 'GET', path: '/api/admin/keys', group: 'accounts', allows: 'accounts' },
  summary: 'Keys of everybody, the newest first',
  query: z.strictObject({
    ...pageQuery,
    username: lineOfText(100).min(1).optional().describe('Only keys of this user'),
    role: z.enum(['user', 'admin', 'bot']).optional(),
    isActive: flagInText.optional(),
  }),
  answer: pageOf(apiKey),
  problems: ['bad-cursor'],
});

export const createBotKey = endpoint({
  ...{ name: 'createBotKey', method: 'POST', path: '/api/admin/keys', group: 'accounts', allows: 'accounts' },
  summary: 'Make the key of a bot',
  description: 'It can pull work and hand in results, and nothing else. People make keys of their own.',
  body: z.strictObject({ name: keyName, role: z.literal('bot').default('bot'), expiresAt: keyExpiry }),
  status: 201,
  answer: newApiKey,
  problems: ['not-permitted', 'bot-revoked'],
});

export const revokeKey = endpoint({
  ...{
    name: 'revokeKey',
    method: 'DELETE',
    path: '/api/admin/keys/:id',
    group: 'accounts',
    allows: 'accounts',
  },
  summary: 'Revoke anybody’s key',
  params: idParams,
  problems: ['not-permitted', 'unknown-key', 'key-revoked'],
});

export const auditEntry = z
  .object({
    id: rowId,
    at: time,
    actor: z.string().describe('`user:anna`, `user:anna (key 7)`, `cli:root`, `system`'),
    action: z.string().describe('Such as `domain.reset`'),
    target: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
    address: z.string().nullable(),
    requestId: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });

export const listAudit = endpoint({
  ...{ name: 'listAudit', method: 'GET', path: '/api/admin/audit', group: 'accounts', allows: 'accounts' },
  summary: 'What people with power did, the latest first',
  query: z.strictObject({
    ...pageQuery,
    actor: lineOfText(200).min(1).optional().describe('Exactly this one'),
    action: lineOfText(100).min(1).optional().describe('Exactly this one'),
    since: timeInText.optional().describe('At this time or later'),
    until: timeInText.optional().describe('Before this time'),
  }),
  answer: pageOf(auditEntry),
  problems: ['bad-cursor'],
});

export const accountEndpoints = [
  ...[listUsers, createUser, getUser, changeUser, deleteUser, resetPassword, unlockUser],
  ...[listKeys, createBotKey, revokeKey, listAudit],
];
