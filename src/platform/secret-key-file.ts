/**
 * The key of whoever has set none: made by the first process that needs it, kept in the data directory for this user
 * alone. Any number of processes may come at the same time; all of them get the same key.
 */
import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { keepOwner } from './embedded/data-dir.ts';
import { describeFileProblem } from './embedded/file-problem.ts';
import { errorCode, PlatformError } from './errors.ts';
import { parseSecretKey, SECRET_KEY_BYTES } from './secret-key.ts';

export const SECRET_KEY_FILE = 'secret.key';

export interface KeptKey {
  readonly key: Buffer;
  readonly file: string;
}

export async function readOrMakeKeyFile(
  dataDir: string,
  hasSecrets: () => Promise<boolean>,
): Promise<KeptKey> {
  const file = path.join(dataDir, SECRET_KEY_FILE);
  try {
    const kept = await readKey(file);
    if (kept !== undefined) return { key: kept, file };
    if (await hasSecrets()) throw describeMissing(file);
    return { key: await makeKey(dataDir, file), file };
  } catch (error) {
    throw describeProblem(error, dataDir);
  }
}

function describeMissing(file: string): PlatformError {
  return new PlatformError(
    'bad-secret-key',
    `There is no key here for the secrets in the database: ${file} is missing.`,
    {
      hint: 'put it back (from a backup, or from the data directory in which they were made), or set FORAGER_SECRET_KEY; if it is lost, remove the webhooks and add them again',
    },
  );
}

function describeProblem(error: unknown, dataDir: string): unknown {
  const described = describeFileProblem(error, dataDir, 'The data directory');
  if (!(described instanceof PlatformError) || ['bad-secret-key', 'disk-full'].includes(described.code)) {
    return described;
  }
  return new PlatformError('bad-secret-key', `There is no key for secrets. ${described.message}`, {
    hint: `set FORAGER_SECRET_KEY (32 random bytes in base64), or ${described.hint}`,
    cause: error,
  });
}

async function readKey(file: string): Promise<Buffer | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const key = parseSecretKey(text);
  if (key !== undefined) return key;
  throw new PlatformError(
    'bad-secret-key',
    `The file ${file} does not hold a key of ${SECRET_KEY_BYTES} bytes.`,
    {
      hint: 'restore it from a backup; without it the secrets in the database are lost and have to be entered again',
    },
  );
}

/** Written whole under another name first, then given its own, which only one can do. */
async function makeKey(dataDir: string, file: string): Promise<Buffer> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.draft-${randomBytes(6).toString('hex')}`;
  try {
    const text = `${randomBytes(SECRET_KEY_BYTES).toString('base64')}\n`;
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    await keepOwner(draft, dataDir);
    await claimName(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  const key = await readKey(file);
  if (key === undefined) throw new Error(`${file} was taken away while it was made`);
  return key;
}

async function claimName(draft: string, file: string): Promise<void> {
  const ignoreTaken = (error: unknown): void => {
    if (errorCode(error) !== 'EEXIST') throw error;
  };
  await link(draft, file).catch((error: unknown) => {
    // Some file systems have no second names for a file.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(errorCode(error) ?? ''))
      return ignoreTaken(error);
    return copyFile(draft, file, constants.COPYFILE_EXCL).catch(ignoreTaken);
  });
}
