/** Tasks: how many a second, next to another queue on PostgreSQL, and with a thousand times as many waiting. */
import { benchTaskGrowth } from './task-growth.mjs';
import { benchTaskQueue } from './task-queue.mjs';
import { benchTaskThroughput } from './task-throughput.mjs';

/** `--quick`: small enough to see within a minute or two whether everything works; its figures say little. */
const QUICK = {
  taskCount: 500,
  taskHosts: 10,
  taskOrders: 2000,
  taskTurns: 2,
  taskWaiting: 20_000,
  taskRounds: 10,
};

export async function benchTasks(given, say) {
  const options = given.quick ? { ...given, ...QUICK } : given;
  const queue = await benchTaskQueue(options, say);
  const growth = await benchTaskGrowth(options, say);
  return { isQuick: given.quick, throughput: await benchTaskThroughput(options, say), queue, growth };
}
