/**
 * Who holds a lease: host, process and what tells the process from another with its number, so that a lease
 * left behind by a process that was killed on this machine can be told from one held by a living neighbour, at
 * once and without waiting for it to expire. On other machines only the lease's expiry decides.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { identifySelf, judgeLiveness, type ProcessIdentity } from '../../platform/process-identity.ts';

/** Identities in use in this process: a process may have several, one after another or side by side. */
const inUse = new Set<string>();

export function createWorkerId(): string {
  const id = `${hostname()}:${process.pid}:${processMark(identifySelf())}:${randomBytes(3).toString('hex')}`;
  inUse.add(id);
  return id;
}

/** A name a person gave is held by this process until it is retired, like one it made up. */
export function useWorkerId(id: string): void {
  inUse.add(id);
}

export function retireWorkerId(id: string): void {
  inUse.delete(id);
}

/**
 * True only when the worker ran on this machine and is certainly gone. Another boot means an earlier one where
 * only this machine can have written the name (`isOurMachine`: files, the embedded database); elsewhere it may be
 * the boot of another machine that goes by the same host name.
 */
export function isWorkerGone(workerId: string, isOurMachine = true): boolean {
  const parts = workerId.split(':');
  const [mark = '', pid] = [parts.at(-2), Number(parts.at(-3))];
  return isHolderGone(workerId, { host: parts.slice(0, -3).join(':'), pid, mark }, isOurMachine);
}

export interface HolderPlace {
  readonly host: string;
  readonly pid: number;
  readonly mark: string;
}

export function isHolderGone(
  workerId: string,
  { host, pid, mark }: HolderPlace,
  isOurMachine: boolean,
): boolean {
  if (host !== hostname() || !Number.isInteger(pid) || pid <= 0) return false;
  if (!isOurMachine && mark.split('.')[0] !== processMark(identifySelf()).split('.')[0]) return false;
  const liveness = judgeLiveness(readMark(pid, mark));
  // A name may have been another process's before it was ours: what is in use here says nothing about that one.
  if (pid === process.pid && liveness === 'alive') return !inUse.has(workerId);
  return liveness === 'gone';
}

/** Boot, process namespace and start time, as far as the system tells: `1f3c9a20.4026531836.5312`. */
export function processMark({ bootId, namespace, startedAt }: ProcessIdentity): string {
  return [bootId?.slice(0, 8), namespace?.replace(/\D/g, ''), startedAt].map((part) => part ?? '-').join('.');
}

function readMark(pid: number, mark: string): ProcessIdentity {
  const [bootId, namespace, startedAt] = mark
    .split('.')
    .map((part) => (/^[\da-f]+$/.test(part) ? part : undefined));
  return { pid, bootId, startedAt, namespace: namespace === undefined ? undefined : `pid:[${namespace}]` };
}
