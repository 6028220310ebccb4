/**
 * A lock between processes that outlives none of them.
 *
 * The lock is a file that names its holder. It appears whole or not at all (a hard link to a finished file) and
 * is taken over when the holder is gone. The delicate part is the taking over: of several processes that find
 * the same dead holder only one may remove its file, and none may remove the fresh file of the next holder.
 * So each lock carries a random token, and the right to remove the lock with token T is itself won by creating
 * the link `<lock>.dead-T`, which only one process can.
 */
import { randomBytes } from 'node:crypto';
import { link, readFile, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs, now } from '../clock.ts';
import { errorCode, PlatformError } from '../errors.ts';
import { identifySelf, judgeLiveness, type ProcessIdentity } from '../process-identity.ts';

export interface LockOptions {
  readonly waitMs: number;
  /** What the lock protects, for the sentence a person reads when it does not come free. */
  readonly purpose: string;
}

interface LockContent extends ProcessIdentity {
  readonly token: string;
}

const heartbeatMs = 2000;
/** A holder we cannot look at (in another container) counts as gone after this much silence. */
const silenceMs = 15_000;

export async function withProcessLock<T>(
  file: string,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const token = await acquire(file, options);
  const heartbeat = setInterval(() => {
    const time = now();
    utimes(file, time, time).catch(() => {});
  }, heartbeatMs);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await release(file, token);
  }
}

async function acquire(file: string, options: LockOptions): Promise<string> {
  const token = randomBytes(8).toString('hex');
  const content: LockContent = { ...identifySelf(), token };
  const draft = `${file}.draft-${token}`;
  try {
    await writeFile(draft, JSON.stringify(content), { mode: 0o644 });
    const deadline = monotonicMs() + options.waitMs;
    while (!(await tryLink(draft, file))) {
      const holder = await readLock(file);
      if (holder !== undefined && (await isAbandoned(file, holder))) {
        await removeAbandoned(file, holder.token);
        continue;
      }
      if (monotonicMs() > deadline) throw describeBusyLock(file, holder, options);
      await pause(10 + Math.random() * 40);
    }
  } finally {
    await rm(draft, { force: true });
  }
  return token;
}

/** Only what is ours: if we were suspended for so long that another took over, its lock stays. */
async function release(file: string, token: string): Promise<void> {
  const holder = await readLock(file);
  if (holder?.token === token) await rm(file, { force: true });
}

async function isAbandoned(file: string, holder: LockContent): Promise<boolean> {
  const liveness = judgeLiveness(holder);
  if (liveness !== 'elsewhere') return liveness === 'gone';
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && now().getTime() - found.mtimeMs > silenceMs;
}

async function removeAbandoned(file: string, token: string): Promise<void> {
  const right = `${file}.dead-${token}`;
  if (!(await tryLink(file, right))) {
    // Another process is at it; if that one died in this very moment, its claim lapses.
    const found = await stat(right).catch(() => undefined);
    if (found !== undefined && now().getTime() - found.ctimeMs > silenceMs) await rm(right, { force: true });
    await pause(20);
    return;
  }
  // Between our look and our link the lock may have passed on; then it is not the dead one any more.
  if ((await readLock(right))?.token === token) await unlink(file);
  await rm(right, { force: true });
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    const code = errorCode(error);
    // ENOENT: the lock we wanted to mark has just been released.
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  }
}

async function readLock(file: string): Promise<LockContent | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as LockContent;
  } catch {
    return undefined;
  }
}

function describeBusyLock(
  file: string,
  holder: LockContent | undefined,
  options: LockOptions,
): PlatformError {
  const who = holder === undefined ? 'another process' : `process ${holder.pid}`;
  return new PlatformError(
    'lock-busy',
    `${who} has been holding the lock ${file} (${options.purpose}) for too long.`,
    {
      hint: `see what ${who} is doing and end it if it hangs; if there is no such process, delete the lock file`,
    },
  );
}
