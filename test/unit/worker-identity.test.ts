import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createWorkerId, isWorkerGone, retireWorkerId } from '../../src/engine/claim/worker-identity.ts';

const own = createWorkerId();
const [mark = ''] = own.split(':').slice(-2);

describe('isWorkerGone', () => {
  it('two workers of one process have different names, and one that was retired is over', () => {
    const later = createWorkerId();
    expect(later).not.toBe(own);
    expect([isWorkerGone(own), isWorkerGone(later)]).toEqual([false, false]);
    retireWorkerId(later);
    expect([isWorkerGone(own), isWorkerGone(later)]).toEqual([false, true]);
  });

  it('a process that lives is not gone, one that was killed is', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const name = `${hostname()}:${child.pid}:-:abc123`;
    expect(isWorkerGone(name)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isWorkerGone(name)).toBe(true);
  });

  it('a living process that only has the number of the dead one does not keep its lease', () => {
    const name = `${hostname()}:${process.ppid}:00000000.-.1:abc123`;
    expect(isWorkerGone(name)).toBe(!mark.startsWith('-'));
  });

  it('of processes in another container that goes by the same host name it knows nothing', () => {
    const [boot = ''] = mark.split('.');
    expect(isWorkerGone(`${hostname()}:4194303:${boot}.1.1:abc123`)).toBe(false);
  });

  it('of workers on other machines, and of names it cannot read, it knows nothing', () => {
    expect(isWorkerGone(own.replace(hostname(), 'another-machine'))).toBe(false);
    expect(isWorkerGone('somebody')).toBe(false);
    expect(isWorkerGone('')).toBe(false);
  });
});
