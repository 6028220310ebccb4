/** The cookie of a session: not for scripts, not for other sites, gone after a day. */
import { SESSION_SECONDS } from '../control/access/session-length.ts';

export const SESSION_COOKIE = 'forager_session';

export function sessionCookie(token: string, isSecure: boolean): string {
  return write(token, SESSION_SECONDS, isSecure);
}

export function clearedSessionCookie(isSecure: boolean): string {
  return write('', 0, isSecure);
}

function write(value: string, maxAgeSeconds: number, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : '';
  return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}
