/** People for tests of the server: accounts with a password, and clients that are logged in. */
import { createUser, type UserRole } from '../../src/control/access/users.ts';
import type { ApiAnswer, ApiClient, TestServer } from './api.ts';

export const PASSWORD = 'four pigeons on a wet roof';
const TESTER = { name: 'test' };
let people = 0;

/** The name of a new account with the password above. */
export async function addPerson(server: TestServer, role: UserRole = 'user'): Promise<string> {
  people += 1;
  const username = `${role}${people}.person`;
  await createUser(server.database.db, { username, role, password: PASSWORD }, TESTER);
  return username;
}

/** The token in the cookie that an answer sets; undefined: it sets none, or clears it. */
export function tokenOf(answer: ApiAnswer): string | undefined {
  return /^forager_session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1];
}

export interface LoggedIn {
  readonly username: string;
  readonly token: string;
  readonly client: ApiClient;
}

export async function logInAs(server: TestServer, username: string, password = PASSWORD): Promise<LoggedIn> {
  const answer = await server.client().post('/api/auth/login', { username, password });
  const token = tokenOf(answer);
  if (token === undefined) throw new Error(`${username} could not log in: ${answer.text}`);
  return { username, token, client: server.client({ cookie: `forager_session=${token}` }) };
}

/** A new account, logged in. */
export async function enter(server: TestServer, role: UserRole = 'user'): Promise<LoggedIn> {
  return logInAs(server, await addPerson(server, role));
}
