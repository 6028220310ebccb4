/** The carrier of the settings: RabbitMQ where AMQP_URL names one, else the database itself. */
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { type RecordDeadLetter, recordInDatabase } from './dead-letter.ts';
import type { Distribution } from './distribution.ts';
import { PostgresDistribution } from './postgres-distribution.ts';
import type { Warn } from './trouble-book.ts';

export interface DistributionOptions {
  readonly config: Pick<Config, 'amqpUrl' | 'amqpPrefix'>;
  readonly db: Pick<Database, 'pool' | 'url'>;
  /** Left out: they are written into the table `dead_letters`. */
  readonly onDeadLetter?: RecordDeadLetter;
  /** For the log: once each time something goes wrong, and once when that is over. */
  readonly warn?: Warn;
}

/**
 * Never fails because the carrier is away: it says so in its `state` and goes on trying. To be closed before the
 * database is.
 */
export async function openDistribution(options: DistributionOptions): Promise<Distribution> {
  const { config, db, onDeadLetter = recordInDatabase(db), warn = () => undefined } = options;
  const { amqpUrl, amqpPrefix } = config;
  if (amqpUrl === undefined) return new PostgresDistribution({ db, onDeadLetter, warn });
  // The client is loaded where it is needed.
  const { openRabbitDistribution } = await import('./rabbit-distribution.ts');
  return openRabbitDistribution({ url: amqpUrl, prefix: amqpPrefix, onDeadLetter, warn });
}
