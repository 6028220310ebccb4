/** Logging in and out over HTTP, and what is one's own. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  changePassword,
  createOwnKey,
  endSession,
  getMe,
  listOwnKeys,
  listSessions,
  login,
  logout,
  logoutEverywhere,
  revokeOwnKey,
} from '../../contract/auth.ts';
import { rowId } from '../../contract/values.ts';
import { changePassword as changeOwnPassword } from '../../control/access/change-password.ts';
import { createUserKey, listKeys, revokeKey } from '../../control/access/keys.ts';
import { type Login, logIn } from '../../control/access/login.ts';
import { LoginThrottled } from '../../control/access/login-throttle.ts';
import type { Principal } from '../../control/access/principal.ts';
import {
  endOwnSession,
  logOut,
  logOutEverywhere,
  listSessions as readSessions,
} from '../../control/access/sessions.ts';
import type { Config } from '../../platform/config.ts';
import { actorOf } from '../actor-of.ts';
import { networkOf } from '../client-address.ts';
import { readCookie } from '../cookies.ts';
import { readCursor, toPage, writeCursor } from '../cursor.ts';
import { Refusal } from '../refusal.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';
import { clearedSessionCookie, SESSION_COOKIE, sessionCookie } from '../session-cookie.ts';

const cursorShape = z.tuple([rowId]);

export function authRoutes({ db, authDb, config }: ServerParts): Route[] {
  return [
    route(login, async ({ body, request, reply, address, requestId }) => {
      const userAgent = request.headers['user-agent'];
      const previousToken = readCookie(request.headers.cookie, SESSION_COOKIE);
      const entered = await tellingWhenToRetry(() =>
        logIn(authDb, { ...body, address, network: networkOf(address), userAgent, previousToken, requestId }),
      );
      return answerLogin(entered, config, request, reply);
    }),
    route(logout, async ({ request, reply }) => {
      await logOut(authDb, readCookie(request.headers.cookie, SESSION_COOKIE));
      reply.header('set-cookie', clearedSessionCookie(isSecure(config, request)));
    }),
    route(logoutEverywhere, async (call) => {
      const endedSessions = await logOutEverywhere(db, personOf(call.principal).userId, actorOf(call));
      call.reply.header('set-cookie', clearedSessionCookie(isSecure(config, call.request)));
      return { endedSessions };
    }),
    route(getMe, async ({ principal }) => describePrincipal(principal)),
    route(changePassword, async ({ body, principal, request, reply, address, requestId }) => {
      const { username } = personOf(principal);
      const userAgent = request.headers['user-agent'];
      const entered = await tellingWhenToRetry(() =>
        changeOwnPassword(authDb, { ...body, username, address, userAgent, requestId }),
      );
      return answerLogin(entered, config, request, reply);
    }),
    route(listSessions, async ({ query, principal }) => {
      const [before] = readCursor('sessions', cursorShape, query.cursor) ?? [];
      const rows = await readSessions(db, personOf(principal).userId, before, query.limit + 1);
      const sessions = rows.map((row) => ({ ...row, isCurrent: row.id === principal.sessionId }));
      return toPage(sessions, query.limit, (last) => writeCursor('sessions', [last.id]));
    }),
    route(endSession, async (call) => {
      await endOwnSession(db, personOf(call.principal).userId, call.params.id, actorOf(call));
      if (call.params.id !== call.principal.sessionId) return;
      call.reply.header('set-cookie', clearedSessionCookie(isSecure(config, call.request)));
    }),
    route(listOwnKeys, async ({ query, principal }) => {
      const [before] = readCursor('own keys', cursorShape, query.cursor) ?? [];
      const { username } = personOf(principal);
      const rows = await listKeys(db, { username }, before, query.limit + 1);
      return toPage(rows, query.limit, (last) => writeCursor('own keys', [last.id]));
    }),
    route(createOwnKey, async (call) => {
      const made = await createUserKey(db, personOf(call.principal).username, call.body, actorOf(call));
      call.reply.header('location', `/api/auth/keys/${made.key.id}`);
      return made;
    }),
    route(revokeOwnKey, async (call) => {
      await revokeKey(db, call.params.id, { userId: personOf(call.principal).userId }, actorOf(call));
    }),
  ];
}

/** The scope "self" is for people: whoever has it is one. */
function personOf({ userId, username }: Principal): { userId: number; username: string } {
  if (userId !== undefined && username !== undefined) return { userId, username };
  throw new Refusal('not-permitted', 'This is for people: log in with a password.');
}

function answerLogin(entered: Login, config: Config, request: FastifyRequest, reply: FastifyReply) {
  const { token, expiresAt, username, role, passwordExpiresAt } = entered;
  reply.header('set-cookie', sessionCookie(token, isSecure(config, request)));
  request.server.credentials.admit({ kind: 'session', token });
  return {
    ...{ user: { username, role }, expiresAt },
    ...{ mustChangePassword: passwordExpiresAt !== undefined, passwordExpiresAt: passwordExpiresAt ?? null },
  };
}

function describePrincipal(principal: Principal) {
  const { username, role, scopes, sessionId, keyId, keyName, expiresAt, passwordExpiresAt } = principal;
  return {
    ...({ kind: principal.kind === 'key' ? 'key' : 'session', username: username ?? null, role } as const),
    ...{ scopes: [...scopes], sessionId: sessionId ?? null, keyId: keyId ?? null, keyName: keyName ?? null },
    ...{ expiresAt: expiresAt ?? null, passwordExpiresAt: passwordExpiresAt ?? null },
    mustChangePassword: passwordExpiresAt !== undefined,
  };
}

function isSecure({ secureCookies }: Config, request: FastifyRequest): boolean {
  return secureCookies || request.protocol === 'https';
}

async function tellingWhenToRetry<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LoginThrottled)) throw error;
    throw new Refusal('login-throttled', error.message, {
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      headers: { 'retry-after': String(error.retryAfterSeconds) },
    });
  }
}
