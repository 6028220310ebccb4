import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';

/**
 * Who a process is, beyond its number: numbers are reused, after a reboot even for sure. Two identities are the
 * same process only if everything known about both agrees.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Ticks since boot at which it started; unknown where there is no /proc. */
  readonly startedAt: string | undefined;
  readonly bootId: string | undefined;
  /** Numbers mean something only within one namespace (a container has its own). */
  readonly namespace: string | undefined;
}

export type Liveness = 'alive' | 'gone' | 'elsewhere';

export function identifySelf(): ProcessIdentity {
  return {
    pid: process.pid,
    startedAt: readProcessStat(process.pid)?.startedAt,
    bootId: readBootId(),
    namespace: readPidNamespace(),
  };
}

/** `elsewhere`: it lives, or lived, where we cannot look; only the age of what it left can tell. */
export function judgeLiveness(identity: ProcessIdentity): Liveness {
  // Some keep a boot's id shortened.
  if (differ(identity.bootId, readBootId()?.slice(0, identity.bootId?.length))) return 'gone';
  if (differ(identity.namespace, readPidNamespace())) return 'elsewhere';
  if (!isProcessAlive(identity.pid)) return 'gone';
  return differ(identity.startedAt, readProcessStat(identity.pid)?.startedAt) ? 'gone' : 'alive';
}

/** A process that has ended but was not collected by its parent yet counts as gone. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EPERM') return false;
  }
  return readProcessStat(pid)?.state !== 'Z';
}

/** True if a process runs in this directory, as every PostgreSQL process does in its cluster. */
export function isWorkingIn(pid: number, directory: string): boolean {
  if (!isProcessAlive(pid)) return false;
  if (os.platform() === 'linux') {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === directory;
    } catch {
      // Not ours to look at, so not a server of ours either: those run as us, or we are root.
      return false;
    }
  }
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(
      directory,
    );
  } catch {
    return false;
  }
}

function readProcessStat(pid: number): { state: string; startedAt: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, second field, may itself contain spaces and brackets: count from the last one.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, startedAt] = [fields[0], fields[19]];
    return state === undefined || startedAt === undefined ? undefined : { state, startedAt };
  } catch {
    return undefined;
  }
}

function readBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
}

function readPidNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

/** What is not known differs from nothing. */
function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}
