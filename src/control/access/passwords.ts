/** Hashes of passwords: argon2id, slow to guess even for whoever has the table. */
import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { HashingQueue } from './hashing-queue.ts';

/** Argon2id with 19 MiB and two passes: the least that is recommended for servers today. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** As the library counts the kinds; its names for them do not exist at run time. */
const ARGON2ID = 2;

const queue = new HashingQueue();

export function hashPassword(password: string): Promise<string> {
  return queue.run(() => hash(toBytes(password), { ...COST, algorithm: ARGON2ID }));
}

export interface Verdict {
  readonly isRight: boolean;
  /** The hash was made under other terms and should be made anew. */
  readonly isOutdated: boolean;
}

const WRONG: Verdict = { isRight: false, isOutdated: false };

/** Takes the same time whether there is a hash to compare with or not. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<Verdict> {
  // Made before it is known whether it is needed.
  const nobodys = await nobodysHash();
  const isOutdated = stored === undefined ? undefined : readTerms(stored);
  return queue.run(async () => {
    const isRight = await verify(
      isOutdated === undefined || stored === undefined ? nobodys : stored,
      toBytes(password),
    );
    return isOutdated === undefined ? WRONG : { isRight, isOutdated };
  });
}

/** Whether the hash was made under other terms; undefined: it is no hash. */
function readTerms(stored: string): boolean | undefined {
  try {
    const terms = parseOptions(stored);
    return (
      terms.algorithm !== ARGON2ID ||
      terms.memoryCost !== COST.memoryCost ||
      terms.timeCost !== COST.timeCost ||
      terms.parallelism !== COST.parallelism
    );
  } catch {
    return undefined;
  }
}

let nobodys: Promise<string> | undefined;

/** The hash of a password that nobody knows. */
function nobodysHash(): Promise<string> {
  nobodys ??= hashPassword(randomBytes(32).toString('base64')).catch((error: unknown) => {
    nobodys = undefined;
    throw error;
  });
  return nobodys;
}

/** The same password typed on another keyboard is the same password. */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC');
}

function toBytes(password: string): Buffer {
  return Buffer.from(normalizePassword(password), 'utf8');
}
