/** How fast it goes: the figures of the whole crawl, each time there are new ones. */
import type { LiveEvent } from '../../contract/live.ts';
import type { Stats } from '../stats/describe-stats.ts';
import type { Figures } from '../stats/figures.ts';
import type { Watch } from './watch.ts';

type RatesEvent = Extract<LiveEvent, { type: 'rates' }>;

export function watchRates(figures: Pick<Figures, 'read'>): Watch {
  let told: string | undefined;
  return {
    begin: async () => {
      told = (await figures.read()).stats.asOf;
    },
    look: async () => {
      const { stats } = await figures.read();
      if (stats.asOf === told) return [];
      told = stats.asOf;
      return [toEvent(stats)];
    },
  };
}

function toEvent({ asOf, rates, totals, frontier, workers }: Stats): RatesEvent {
  const { pages, fetches, errors, bytes, urls } = totals;
  return {
    ...{ type: 'rates', at: asOf, ...rates },
    ...{ pages, fetches, errors, bytes, urls },
    ...{ frontier: frontier?.size ?? null, workers: workers.active, inFlight: workers.inFlight },
  };
}
