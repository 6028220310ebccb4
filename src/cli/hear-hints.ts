/**
 * How a worker's process learns of work, and tells of it: hints of tasks that became ready go to its crawl and its
 * parser, and what its crawl leaves to parsers is announced. Whatever is wrong with the carrier, the worker goes on: the
 * work is found by looking, too.
 */
import { type Distribution, type HandOver, URGENT_PRIORITY } from '../distribution/distribution.ts';
import { openDistribution } from '../distribution/open-distribution.ts';
import { announceTasks } from '../scheduler/announce-tasks.ts';
import type { FleetOrder } from './fleet-role.ts';

export interface HintHearers {
  readonly crawl?: (domainId: number, isUrgent: boolean) => HandOver;
  readonly parse?: () => HandOver;
}

export interface HeardHints {
  close(): Promise<void>;
}

type Ears = Pick<FleetOrder, 'db' | 'config' | 'events' | 'warn'>;

/** Does not wait for the carrier: one that is away is tried until it is there. */
export function hearHints({ db, config, events, warn }: Ears, { crawl, parse }: HintHearers): HeardHints {
  const tell = (error: unknown): undefined => {
    warn?.('This worker is not told of new work; it finds it by looking.', error);
  };
  const connect = async (): Promise<Distribution> => {
    const distribution = await openDistribution({ config, db, ...(warn === undefined ? {} : { warn }) });
    await Promise.all([
      crawl &&
        distribution.subscribe('crawl', ({ domainId, priority }) =>
          crawl(domainId, priority <= URGENT_PRIORITY),
        ),
      parse && distribution.subscribe('parse', () => parse()),
    ]).catch(tell);
    return distribution;
  };
  const opening = connect().catch(tell);
  const silence = events.on('tasks:left-to-parsers', ({ tasks }) => {
    const announced = opening.then((carrier) => carrier && announceTasks(carrier, 'parse', tasks));
    announced.catch(tell);
  });
  return {
    close: async () => {
      silence();
      await opening.then((carrier) => carrier?.close()).catch(tell);
    },
  };
}
