/** What runs in the process of every scheduler beside it, whether it leads or not. */
import { WebhookSender } from '../control/webhooks/webhook-sender.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { SearchDuty } from '../search/search-duty.ts';
import { ServerDuty } from '../search/server-duty.ts';
import type { RoleLog } from './scheduler-log.ts';

export interface Duty {
  start(): void;
  stop(): Promise<void>;
}

export interface DutyGround {
  readonly db: Database;
  readonly config: Config;
  readonly log: RoleLog;
}

/** Any number of each may run: each takes what nobody else has taken. */
export function makeDuties({ db, config, log }: DutyGround): Duty[] {
  const warn = (sentence: string, error?: unknown): void =>
    log.warn(error === undefined ? {} : { err: error }, sentence);
  return [
    new WebhookSender({ db, config, warn }),
    new SearchDuty({ db, config, warn }),
    new ServerDuty({ db, config, warn }),
  ];
}
