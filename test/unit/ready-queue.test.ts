import { describe, expect, it } from 'vitest';
import { ReadyQueue } from '../../src/engine/ready-queue.ts';

describe('the queue of who is ready next', () => {
  it('gives items out in the order of their time, whatever order they came in', () => {
    const queue = new ReadyQueue<number>();
    const times = Array.from({ length: 500 }, (_, i) => (i * 7919) % 1009);
    for (const time of times) queue.push(time, time);
    const out: number[] = [];
    for (let item = queue.popReady(5000); item !== undefined; item = queue.popReady(5000)) out.push(item);
    expect(out).toEqual([...times].sort((a, b) => a - b));
    expect(queue.size).toBe(0);
  });

  it('is first come first served among items ready at the same time', () => {
    const queue = new ReadyQueue<string>();
    for (const name of ['a', 'b', 'c', 'd']) queue.push(name, 5);
    expect([queue.popReady(5), queue.popReady(5), queue.popReady(5), queue.popReady(5)]).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
  });

  it('keeps back what is not ready yet and says when it will be', () => {
    const queue = new ReadyQueue<string>();
    queue.push('later', 100);
    expect(queue.popReady(99)).toBeUndefined();
    expect(queue.nextAtMs()).toBe(100);
    expect(queue.popReady(100)).toBe('later');
    expect(queue.nextAtMs()).toBeUndefined();
  });
});
