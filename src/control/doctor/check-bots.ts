/** Is there a bot for the jobs that wait for one? */
import type { Database } from '../../platform/database.ts';
import { errorCode } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { type Check, ok, warning } from './check.ts';

const readBots = loadSql(import.meta.url, './read-bots.sql');

const NAME = 'bots';
const COUNTED_TO = 10_001;
const OLDER_SCHEMA = ['42P01', '42703'];

interface Bots {
  readonly dueJobs: number;
  readonly bots: number;
  readonly activeBots: number;
}

export async function checkBots(db: Database): Promise<Check[]> {
  try {
    const [bots] = (await db.query<Bots>(readBots, [COUNTED_TO])).rows;
    return bots === undefined ? [] : [judge(bots)];
  } catch (error) {
    if (OLDER_SCHEMA.includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}

function judge({ dueJobs, bots, activeBots }: Bots): Check {
  if (dueJobs > 0 && bots === 0) {
    return warning(
      NAME,
      `${tell(dueJobs)} for a bot, and none is registered`,
      'register one: "forager bot add"',
    );
  }
  if (dueJobs > 0 && activeBots === 0) {
    const message = `${tell(dueJobs)} for a bot, and none has asked for work in the last ten minutes`;
    return warning(NAME, message, 'start one; "forager bot list" shows when each was heard of last');
  }
  if (bots === 0) return ok(NAME, 'none is registered');
  return ok(NAME, `${activeBots} of ${bots} asked for work in the last ten minutes`);
}

function tell(jobs: number): string {
  if (jobs >= COUNTED_TO) return 'more than 10,000 jobs wait';
  return jobs === 1 ? '1 job waits' : `${jobs.toLocaleString('en-US')} jobs wait`;
}
