/** What runs in the process of every scheduler beside it, whether it leads or not. */
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import type { RoleLog } from './scheduler-log.ts';

export interface Duty {
  start(): void | Promise<void>;
  stop(): Promise<void>;
}

export interface DutyGround {
  readonly db: Database;
  readonly config: Config;
  readonly log: RoleLog;
}

export async function makeDuties(_ground: DutyGround): Promise<Duty[]> {
  return [];
}
