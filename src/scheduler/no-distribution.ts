/** Nobody is told: workers find the work by looking. */
import type { Distribution } from '../distribution/distribution.ts';

export const noDistribution: Pick<Distribution, 'announce'> = {
  announce: async () => 0,
};
