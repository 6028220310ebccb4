/** A key for accounts is no master key: nobody makes, changes or ends somebody who may do more than they may. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeRoutes } from '../../src/api/routes.ts';
import type { ServerParts } from '../../src/api/server-parts.ts';
import { KEY_SCOPES, type KeyScope, scopesOfRole, scopesToGovern } from '../../src/contract/access.ts';
import { type ApiAnswer, type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { addPerson, enter, PASSWORD } from '../support/people.ts';

let server: TestServer;
let admin: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = (await enter(server, 'admin')).client;
});
afterAll(() => server.close());

let names = 0;
const newName = (): string => `new.person${++names}`;

type Target = 'user' | 'admin' | 'bot';

/** A key of somebody else, or of a bot. */
async function addKeyOf(target: Target): Promise<number> {
  if (target === 'bot') {
    const made = await admin.post('/api/admin/keys', { name: 'bot' });
    return (made.body as { key: { id: number } }).key.id;
  }
  const { client } = await enter(server, target);
  const made = await client.post('/api/auth/keys', { name: 'k', scopes: ['read'] });
  return (made.body as { key: { id: number } }).key.id;
}

const people = ['user', 'admin'] as const;
const acts: readonly [string, string, Target, (client: ApiClient) => Promise<ApiAnswer>][] = [
  ...people.flatMap((role): (typeof acts)[number][] => {
    const at = async (): Promise<string> => `/api/admin/users/${await addPerson(server, role)}`;
    return [
      [
        'createUser',
        `making a ${role}`,
        role,
        (one) => one.post('/api/admin/users', { username: newName(), role, password: PASSWORD }),
      ],
      [
        'changeUser',
        `switching off a ${role}`,
        role,
        async (one) => one.patch(await at(), { isEnabled: false }),
      ],
      [
        'changeUser',
        `making a ${role} an admin`,
        'admin',
        async (one) => one.patch(await at(), { role: 'admin' }),
      ],
      ['changeUser', `making a ${role} a user`, role, async (one) => one.patch(await at(), { role: 'user' })],
      [
        'resetPassword',
        `a new password for a ${role}`,
        role,
        async (one) => one.post(`${await at()}/password`),
      ],
      ['unlockUser', `unlocking a ${role}`, role, async (one) => one.post(`${await at()}/unlock`)],
      ['deleteUser', `deleting a ${role}`, role, async (one) => one.delete(await at())],
    ];
  }),
  ...(['user', 'admin', 'bot'] as const).map((role): (typeof acts)[number] => [
    ...(['revokeKey', `revoking the key of a ${role}`, role] as const),
    async (one) => one.delete(`/api/admin/keys/${await addKeyOf(role)}`),
  ]),
  ['createBotKey', 'making the key of a bot', 'bot', (one) => one.post('/api/admin/keys', { name: 'bot' })],
];

describe.each(acts)('%s: %s', (_name, _what, target, act) => {
  const needed = new Set<KeyScope>(['accounts', ...scopesToGovern(target)]);

  test('is done by a key that holds all that the target could, and by a session of an administrator', async () => {
    expect((await act(await server.as('admin', [...needed]))).status).toBeLessThan(300);
    expect((await act(admin)).status).toBeLessThan(300);
  });

  test('is refused to a key that lacks any of it', async () => {
    for (const missing of [...needed].filter((scope) => scope !== 'accounts')) {
      const key = await server.as(
        'admin',
        [...needed].filter((scope) => scope !== missing),
      );
      const { status, problem } = await act(key);
      expect([status, problem?.code]).toEqual([403, 'not-permitted']);
      expect(problem?.detail).toContain(`"${missing}"`);
    }
    const { problem } = await act(await server.as('admin', ['accounts']));
    expect(problem?.code).toBe('not-permitted');
  });
});

test('every door that changes an account is in the list above', () => {
  const doors = makeRoutes({} as ServerParts)
    .map(({ endpoint }) => endpoint)
    .filter(({ allows, method }) => allows === 'accounts' && method !== 'GET');
  expect(new Set(acts.map(([name]) => name))).toEqual(new Set(doors.map(({ name }) => name)));
});

test('what is refused has changed nothing', async () => {
  const key = await server.as('admin', ['accounts']);
  const username = await addPerson(server);
  await key.patch(`/api/admin/users/${username}`, { role: 'admin' });
  await key.delete(`/api/admin/users/${username}`);
  expect((await key.get(`/api/admin/users/${username}`)).body).toMatchObject({
    role: 'user',
    isEnabled: true,
  });
});

test('to govern somebody takes all that a key of their role can be given', () => {
  for (const role of people) {
    expect(scopesToGovern(role)).toEqual(KEY_SCOPES.filter((scope) => scopesOfRole(role).includes(scope)));
  }
  expect(scopesToGovern('bot')).toEqual(scopesToGovern('admin'));
});
