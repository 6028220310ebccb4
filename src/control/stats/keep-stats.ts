/** What any process does for the figures, and one of all does at a time. */
import { takeJob, takeMinute } from '../../engine/upkeep/take-job.ts';
import type { Database } from '../../platform/database.ts';
import { recordGauges } from './record-gauges.ts';
import { ageStats, rollUpStats } from './roll-up.ts';

const HOUR_SECONDS = 3600;

/** To be called in every minute, as often as one likes. */
export async function keepStats(db: Database): Promise<void> {
  if (!(await takeMinute(db, 'stats'))) return;
  await recordGauges(db);
  await rollUpStats(db);
  if (await takeJob(db, 'stats-ageing', HOUR_SECONDS)) await ageStats(db);
}
