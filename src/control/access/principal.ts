/** Whoever sends a request: nobody in particular, a person who is logged in, or a program with a key. */
import { type Role, type Scope, scopesOfKey, scopesOfRole } from '../../contract/access.ts';
import type { BotOfKey } from '../bots/bot-of-key.ts';

export interface Principal {
  readonly kind: 'anonymous' | 'session' | 'key';
  readonly role: Role;
  readonly scopes: readonly Scope[];
  /** For the audit log, the record of moves and the logs: `user:anna`, `key:7`, `anonymous`. */
  readonly actor: string;
  /** Whose requests are counted together; undefined: those of an address are. */
  readonly account: string | undefined;
  readonly userId: number | undefined;
  readonly username: string | undefined;
  readonly sessionId: number | undefined;
  readonly keyId: number | undefined;
  readonly keyName: string | undefined;
  /** Whose key it is, where that is a bot's. */
  readonly bot?: BotOfKey | undefined;
  /** When the session or key ends; undefined: it does not. */
  readonly expiresAt: Date | undefined;
  /** The password was generated and printed, and has an end. */
  readonly passwordExpiresAt: Date | undefined;
}

export const ANONYMOUS: Principal = {
  ...{ kind: 'anonymous', role: 'anonymous', scopes: scopesOfRole('anonymous') },
  ...{ actor: 'anonymous', account: undefined, userId: undefined, username: undefined },
  ...{ sessionId: undefined, keyId: undefined, keyName: undefined },
  ...{ expiresAt: undefined, passwordExpiresAt: undefined },
};

export interface SessionRow {
  readonly sessionId: number;
  readonly userId: number;
  readonly username: string;
  readonly role: 'user' | 'admin';
  readonly expiresAt: Date;
  readonly passwordExpiresAt: Date | null;
}

export function principalOfSession(row: SessionRow): Principal {
  return {
    ...{ kind: 'session', role: row.role, scopes: scopesOfRole(row.role) },
    ...{ actor: `user:${row.username}`, account: `user:${row.userId}` },
    ...{ userId: row.userId, username: row.username, sessionId: row.sessionId },
    ...{ keyId: undefined, keyName: undefined, expiresAt: row.expiresAt },
    passwordExpiresAt: row.passwordExpiresAt ?? undefined,
  };
}

export interface KeyRow {
  readonly keyId: number;
  readonly name: string;
  readonly role: 'user' | 'admin' | 'bot';
  readonly scopes: readonly string[];
  readonly userId: number | null;
  readonly username: string | null;
  readonly expiresAt: Date | null;
  /** Of a bot's key. */
  readonly bot: BotOfKey | null;
  readonly isBotRevoked: boolean;
}

export function principalOfKey(row: KeyRow): Principal {
  return {
    ...{ kind: 'key', role: row.role, scopes: scopesOfKey(row.role, row.scopes), keyId: row.keyId },
    actor:
      row.username === null ? `bot:${row.bot?.botId ?? row.name}` : `user:${row.username} (key ${row.keyId})`,
    account: accountOf(row),
    bot: row.bot ?? undefined,
    ...{ userId: row.userId ?? undefined, username: row.username ?? undefined },
    ...{ sessionId: undefined, passwordExpiresAt: undefined },
    ...{ keyName: row.name, expiresAt: row.expiresAt ?? undefined },
  };
}

/** A person, or a bot, with ten keys is still one. */
function accountOf({ userId, bot, keyId }: KeyRow): string {
  if (userId !== null) return `user:${userId}`;
  return bot === null ? `key:${keyId}` : `bot:${bot.id}`;
}
