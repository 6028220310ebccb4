/** The upkeep that workers do as well: it goes on when none of them runs. */
import type { Ground, Step } from './ground.ts';

const EVERY_MS = 5000;

export function keepUp({ upkeep }: Ground): Step {
  return {
    name: 'domains woken',
    everyMs: EVERY_MS,
    run: async () => ({ count: await upkeep.round(), isMore: false, isHeldUp: false }),
  };
}
