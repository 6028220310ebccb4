/** Is there a key for the secrets in the database, the same for all processes, and can they be read with it? */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database.ts';
import { errorCode, ForagerError } from '../../platform/errors.ts';
import { openSecretBox } from '../../platform/secret-box.ts';
import { SECRET_KEY_FILE } from '../../platform/secret-key-file.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { type Check, ok, warning, wrong } from './check.ts';

const listSealed = loadSql(import.meta.url, './list-sealed.sql');
const NAME = 'secret key';
const SET_IT =
  'set FORAGER_SECRET_KEY to the same 32 random bytes for every process: "openssl rand -base64 32" makes some, ' +
  `${SECRET_KEY_FILE} of the data directory holds those in use`;

type SecretConfig = Pick<Config, 'secretKey' | 'dataDir' | 'databaseUrl'>;

interface Sealed {
  /** What it is for, as its encryption is bound to it. */
  readonly purpose: 'webhook' | 'proxy';
  readonly id: number;
  readonly secret: Buffer;
  readonly previousSecret: Buffer | null;
}

export async function checkSecrets(db: Database, config: SecretConfig): Promise<Check[]> {
  const file = path.join(config.dataDir, SECRET_KEY_FILE);
  const mode = await stat(file).then(
    (found) => found.mode,
    () => undefined,
  );
  const sealed = await readSealed(db);
  // Looking must not make one: that is for the first secret.
  const isThere = config.secretKey !== undefined || mode !== undefined;
  const fault = isThere ? await findFault(config, sealed) : undefined;
  if (fault !== undefined) return [fault];
  if (!isThere && sealed.length > 0) {
    return [wrong(NAME, `there is none here for the secrets of ${describeSealed(sealed)}`, SET_IT)];
  }
  if (config.secretKey !== undefined) return [ok(NAME, 'FORAGER_SECRET_KEY')];
  if (config.databaseUrl !== undefined) {
    return [
      warning(NAME, `FORAGER_SECRET_KEY is not set: other machines have other keys than ${file}`, SET_IT),
    ];
  }
  if (mode === undefined) return [ok(NAME, 'none yet; the first secret makes it')];
  const isOpen = process.platform !== 'win32' && (mode & 0o077) !== 0;
  return [isOpen ? warning(NAME, `others may read ${file}`, `chmod 600 ${file}`) : ok(NAME, file)];
}

async function findFault(config: SecretConfig, sealed: readonly Sealed[]): Promise<Check | undefined> {
  try {
    const box = await openSecretBox(config, async () => sealed.length > 0);
    for (const { purpose, secret, previousSecret } of sealed) {
      box.open(secret, purpose);
      if (previousSecret !== null) box.open(previousSecret, purpose);
    }
    return undefined;
  } catch (error) {
    if (error instanceof ForagerError) return wrong(NAME, error.message, error.hint);
    throw error;
  }
}

function describeSealed(sealed: readonly Sealed[]): string {
  const proxies = sealed.filter(({ purpose }) => purpose === 'proxy').length;
  const webhooks = sealed.length - proxies;
  return [
    ...(webhooks > 0 ? [webhooks === 1 ? '1 webhook' : `${webhooks} webhooks`] : []),
    ...(proxies > 0 ? [proxies === 1 ? '1 proxy' : `${proxies} proxies`] : []),
  ].join(' and ');
}

async function readSealed(db: Database): Promise<Sealed[]> {
  try {
    return (await db.query<Sealed>(listSealed)).rows;
  } catch (error) {
    // No schema yet, or an older one: nothing is encrypted.
    if (['42P01', '42703', '42883'].includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}
