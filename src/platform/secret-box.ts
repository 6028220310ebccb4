/**
 * Secrets that must be used again, and so cannot be hashed, are encrypted before they go into the database: whoever
 * gets hold of a backup has nothing without the key, which is never in it. AES-256-GCM; what comes out is
 *
 *   version (1 byte) · which key (4) · nonce (12) · tag (16) · ciphertext
 *
 * What a secret is for is bound into it: one cannot be put in the place of another.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Config } from './config.ts';
import { PlatformError } from './errors.ts';
import { parseSecretKey, SECRET_KEY_BYTES } from './secret-key.ts';
import { readOrMakeKeyFile } from './secret-key-file.ts';

export interface SecretBox {
  /** `purpose` is what it is for (`webhook`); the same has to be said when it is taken out. */
  seal(secret: string, purpose: string): Buffer;
  /** Throws one clear sentence where the key is another, or the bytes are none of ours. */
  open(sealed: Uint8Array, purpose: string): string;
}

const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCE_AT = 1 + KEY_ID_BYTES;
const TAG_AT = NONCE_AT + NONCE_BYTES;
const DATA_AT = TAG_AT + TAG_BYTES;

/**
 * With the key of the settings, or with the one that is kept in the data directory. It is made there the first time,
 * but not where there are secrets already: they need the key they were made with, and two would be in use for ever.
 */
export async function openSecretBox(
  { secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>,
  hasSecrets: () => Promise<boolean>,
): Promise<SecretBox> {
  const given = secretKey === undefined ? undefined : parseSecretKey(secretKey);
  if (given !== undefined) return createSecretBox(given, 'FORAGER_SECRET_KEY');
  const { key, file } = await readOrMakeKeyFile(dataDir, hasSecrets);
  return createSecretBox(key, `the file ${file}`);
}

/** `place`: where the key was found, for whoever has to look there. */
export function createSecretBox(key: Buffer, place: string): SecretBox {
  if (key.length !== SECRET_KEY_BYTES) throw new Error(`a key has ${SECRET_KEY_BYTES} bytes`);
  const keyId = createHash('sha256')
    .update('forager secret key\0')
    .update(key)
    .digest()
    .subarray(0, KEY_ID_BYTES);
  const head = Buffer.concat([Buffer.of(VERSION), keyId]);

  return {
    seal(secret, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.concat([head, Buffer.from(purpose)]));
      const data = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([head, nonce, cipher.getAuthTag(), data]);
    },
    open(bytes, purpose) {
      const sealed = Buffer.from(bytes);
      if (sealed.length < DATA_AT || sealed[0] !== VERSION) {
        throw unreadable(
          'is in no form that this version knows',
          'update Forager, or enter the secret again',
        );
      }
      if (!sealed.subarray(1, NONCE_AT).equals(keyId)) {
        throw unreadable(
          `was encrypted with another key than that of ${place}`,
          'give every process the key it was made with (FORAGER_SECRET_KEY, or secret.key of the data directory ' +
            'it was made in), or enter the secret again',
        );
      }
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(NONCE_AT, TAG_AT), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.concat([head, Buffer.from(purpose)]));
      decipher.setAuthTag(sealed.subarray(TAG_AT, DATA_AT));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(DATA_AT)), decipher.final()]).toString('utf8');
      } catch (error) {
        throw unreadable('was changed after it was stored', 'enter the secret again', error);
      }
    },
  };
}

function unreadable(what: string, hint: string, cause?: unknown): PlatformError {
  return new PlatformError('bad-secret-key', `A secret in the database ${what}.`, { hint, cause });
}
