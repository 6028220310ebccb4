/**
 * Who holds a lease: host, process and the process's start time, so that a lease left behind by a process
 * that was killed on this machine can be told from one held by a living neighbour, at once and without
 * waiting for it to expire. On other machines only the lease's expiry decides.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

export function createWorkerId(): string {
  return `${hostname()}:${process.pid}:${processStartMark(process.pid) ?? '-'}:${randomBytes(3).toString('hex')}`;
}

/** True only when the worker ran on this machine and its process is certainly gone. */
export function isWorkerGone(workerId: string, ownId: string): boolean {
  if (workerId === ownId) return false;
  const parts = workerId.split(':');
  const [startMark, pid] = [parts.at(-2), Number(parts.at(-3))];
  if (parts.slice(0, -3).join(':') !== hostname() || !Number.isInteger(pid)) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  // The pid lives, but it may have been given to another process since.
  const mark = processStartMark(pid);
  return mark !== undefined && startMark !== '-' && mark !== startMark;
}

/** Linux: start time in clock ticks since boot, field 22 of /proc/<pid>/stat, with the boot's own id. */
function processStartMark(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
    return fields[0] === 'Z' ? 'zombie' : `${boot}-${fields[19]}`;
  } catch {
    return undefined;
  }
}
