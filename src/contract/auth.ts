/** Logging in and out, and what is one's own: password, sessions, keys. */
import { z } from 'zod';
import { KEY_SCOPES, ROLES, SCOPES } from './access.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import { idParams, lineOfText, rowId, time, timeInText } from './values.ts';

/** Longer than any password may be, so that the sentence about its length comes from one place. */
export const passwordText = z.string().min(1).max(1000);

export const userRole = z.enum(['user', 'admin']).meta({ id: 'UserRole' });

export const loginAnswer = z
  .object({
    user: z.object({ username: z.string(), role: userRole }),
    expiresAt: time.describe('The session ends then, used or not'),
    mustChangePassword: z.boolean().describe('The password was generated and will stop working'),
    passwordExpiresAt: time.nullable().describe('When it does; null for a password of one’s own'),
  })
  .meta({ id: 'Login' });

export const login = endpoint({
  ...{ name: 'login', method: 'POST', path: '/api/auth/login', group: 'auth', allows: 'public' },
  tier: 'login',
  summary: 'Log in',
  headers: ['Set-Cookie'],
  description:
    'Sets the cookie of a new session, which lasts 24 hours; the session whose cookie came with the request, if ' +
    'any, ends. After 10 failures in 15 minutes for an account from one address, 30 from one address for any, or 100 ' +
    'for an account from anywhere, further attempts are refused for the rest of that time, whatever the password.',
  body: z.strictObject({ username: z.string().min(1).max(100), password: passwordText }),
  answer: loginAnswer,
  problems: ['bad-login', 'login-throttled', 'overloaded'],
});

export const logout = endpoint({
  ...{ name: 'logout', method: 'POST', path: '/api/auth/logout', group: 'auth', allows: 'public' },
  summary: 'Log out: end the session of the cookie',
  headers: ['Set-Cookie'],
  description: 'Without a session it does nothing, and the cookie is cleared all the same.',
});

export const endedSessions = z.int().describe('How many sessions were ended');

export const logoutEverywhere = endpoint({
  ...{ name: 'logoutEverywhere', method: 'POST', path: '/api/auth/logout-everywhere', group: 'auth' },
  allows: 'self',
  summary: 'End all of one’s own sessions, this one too',
  headers: ['Set-Cookie'],
  answer: z.object({ endedSessions }),
});

export const getMe = endpoint({
  ...{ name: 'getMe', method: 'GET', path: '/api/auth/me', group: 'auth', allows: 'known' },
  summary: 'Who one is, by session or key, and what one may do',
  answer: z
    .object({
      kind: z.enum(['session', 'key']),
      username: z.string().nullable().describe('Null: the key of a bot'),
      role: z.enum(ROLES),
      scopes: z.array(z.enum(SCOPES)).describe('What this session or key may do'),
      sessionId: rowId.nullable(),
      keyId: rowId.nullable(),
      keyName: z.string().nullable(),
      expiresAt: time.nullable().describe('When the session or key ends; null: it does not'),
      mustChangePassword: z.boolean().describe('Of a session: the password was generated'),
      passwordExpiresAt: time.nullable(),
    })
    .meta({ id: 'Me' }),
});

export const revokeKeys = z.boolean().default(false).describe('Revoke all keys of the account, too');

export const changePassword = endpoint({
  ...{ name: 'changePassword', method: 'POST', path: '/api/auth/password', group: 'auth', allows: 'self' },
  summary: 'Change one’s own password',
  headers: ['Set-Cookie'],
  description:
    'Ends all other sessions and gives this one a new cookie. Keys stay valid unless they are to be revoked. After 10 ' +
    'wrong current passwords in 15 minutes further ones are refused for the rest of that time; failed logins do not ' +
    'count here. A generated password that has ended changes nothing any more.',
  body: z.strictObject({ currentPassword: passwordText, newPassword: passwordText, revokeKeys }),
  answer: loginAnswer,
  problems: ['wrong-password', 'weak-password', 'login-throttled', 'overloaded'],
});

export const session = z
  .object({
    id: rowId,
    isCurrent: z.boolean().describe('The one this request belongs to'),
    address: z.string(),
    userAgent: z.string().nullable(),
    createdAt: time,
    lastSeenAt: time.describe('To the minute'),
    expiresAt: time,
  })
  .meta({ id: 'Session' });

export const listSessions = endpoint({
  ...{ name: 'listSessions', method: 'GET', path: '/api/auth/sessions', group: 'auth', allows: 'self' },
  summary: 'One’s own sessions, the newest first',
  query: z.strictObject(pageQuery),
  answer: pageOf(session),
  problems: ['bad-cursor'],
});

export const endSession = endpoint({
  ...{ name: 'endSession', method: 'DELETE', path: '/api/auth/sessions/:id', group: 'auth', allows: 'self' },
  summary: 'End one of one’s own sessions',
  description: 'The cookie is cleared when it is the session of this request.',
  headers: ['Set-Cookie'],
  params: idParams,
  problems: ['unknown-session'],
});

export const apiKey = z
  .object({
    id: rowId,
    name: z.string(),
    prefix: z.string().describe('How its token begins, to tell keys apart'),
    username: z.string().nullable().describe('Whose it is; null: a bot’s'),
    role: z.enum(['user', 'admin', 'bot']),
    scopes: z.array(z.enum(KEY_SCOPES)),
    isActive: z.boolean().describe('Neither revoked nor past its end'),
    createdBy: z.string(),
    createdAt: time,
    expiresAt: time.nullable(),
    lastUsedAt: time.nullable().describe('To the minute'),
    revokedAt: time.nullable(),
  })
  .meta({ id: 'ApiKey' });

export const newApiKey = z
  .object({ key: apiKey, token: z.string().describe('Shown this once: only a hash of it is kept') })
  .meta({ id: 'NewApiKey' });

export const keyName = lineOfText(100).min(1).describe('What it is for');
export const keyExpiry = timeInText.optional().describe('When it ends; left out: when it is revoked');

export const listOwnKeys = endpoint({
  ...{ name: 'listOwnKeys', method: 'GET', path: '/api/auth/keys', group: 'auth', allows: 'self' },
  summary: 'One’s own keys, the newest first',
  query: z.strictObject(pageQuery),
  answer: pageOf(apiKey),
  problems: ['bad-cursor'],
});

export const createOwnKey = endpoint({
  ...{ name: 'createOwnKey', method: 'POST', path: '/api/auth/keys', group: 'auth', allows: 'self' },
  summary: 'Make a key for a program of one’s own',
  description:
    'A key can do no more than its owner, and only what its scopes name. Send it as `Authorization: Bearer fgr_…`.',
  body: z.strictObject({
    name: keyName,
    scopes: z.array(z.enum(KEY_SCOPES)).min(1).max(KEY_SCOPES.length),
    expiresAt: keyExpiry,
  }),
  status: 201,
  answer: newApiKey,
  problems: ['not-permitted', 'too-many-keys'],
});

export const revokeOwnKey = endpoint({
  ...{ name: 'revokeOwnKey', method: 'DELETE', path: '/api/auth/keys/:id', group: 'auth', allows: 'self' },
  summary: 'Revoke one of one’s own keys',
  params: idParams,
  problems: ['unknown-key', 'key-revoked'],
});

export const authEndpoints = [
  ...[login, logout, logoutEverywhere, getMe, changePassword],
  ...[listSessions, endSession, listOwnKeys, createOwnKey, revokeOwnKey],
];
