import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createWorkerId, isWorkerGone } from '../../src/engine/claim/worker-identity.ts';

const own = createWorkerId();
const [mark = ''] = own.split(':').slice(-2);

describe('isWorkerGone', () => {
  it('two workers of one process have different names, and the later knows the earlier is over', () => {
    const later = createWorkerId();
    expect(later).not.toBe(own);
    expect(isWorkerGone(own, later)).toBe(true);
    expect(isWorkerGone(later, later)).toBe(false);
  });

  it('a process that lives is not gone, one that was killed is', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const name = `${hostname()}:${child.pid}:-:abc123`;
    expect(isWorkerGone(name, own)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isWorkerGone(name, own)).toBe(true);
  });

  it('a living process that only has the number of the dead one does not keep its lease', () => {
    const name = `${hostname()}:${process.ppid}:another-boot-1:abc123`;
    expect(isWorkerGone(name, own)).toBe(mark !== '-');
  });

  it('of workers on other machines, and of names it cannot read, it knows nothing', () => {
    expect(isWorkerGone(own.replace(hostname(), 'another-machine'), own)).toBe(false);
    expect(isWorkerGone('somebody', own)).toBe(false);
    expect(isWorkerGone('', own)).toBe(false);
  });
});
