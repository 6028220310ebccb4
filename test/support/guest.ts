import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface GuestMessage {
  readonly kind: 'open' | 'rows' | 'url' | 'closed' | 'error' | 'ended';
  readonly url?: string;
  readonly rows?: Record<string, unknown>[];
  readonly code?: string;
  readonly message?: string;
  readonly hint?: string;
}

/** A real process, built from a checkout, that uses the database of a data directory (see guest.mjs). */
export interface Guest {
  readonly process: ChildProcess;
  /** What it says first: that the database is open, or why not. */
  readonly first: Promise<GuestMessage>;
  ask(line: string): Promise<GuestMessage>;
  kill(): Promise<void>;
}

const started = new Set<Guest>();

export interface GuestOptions {
  readonly user?: { uid?: number; gid?: number };
  readonly node?: string;
}

export function startGuest(checkout: string, dataDir: string, options: GuestOptions = {}): Guest {
  const child = spawn(options.node ?? process.execPath, [path.join(checkout, 'guest.mjs'), dataDir], {
    ...options.user,
    cwd: '/',
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A guest that is already on its way out reads no more: its end is what counts, not this pipe.
  child.stdin.on('error', () => undefined);
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString('utf8');
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<GuestMessage> => {
    const line = await lines.next();
    if (line.done === true) return { kind: 'ended', message: complaints };
    return JSON.parse(line.value) as GuestMessage;
  };
  const guest: Guest = {
    process: child,
    first: next(),
    ask: async (line) => {
      await guest.first;
      child.stdin.write(`${line}\n`);
      return next();
    },
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
  started.add(guest);
  return guest;
}

/** For afterEach: no guest outlives its test, whatever became of it. */
export async function endGuests(): Promise<void> {
  for (const guest of started) {
    if (guest.process.exitCode === null && guest.process.signalCode === null) {
      const gone = once(guest.process, 'exit');
      guest.process.stdin?.end('close\n');
      await gone;
    }
  }
  started.clear();
}
