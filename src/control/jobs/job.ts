/** A job as it is stored: what the contract shows of it, with times as they come from the database. */
import type { JobKindName } from '../../contract/jobs.ts';

export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

export interface Job {
  readonly id: number;
  readonly kind: JobKindName;
  readonly params: Record<string, unknown>;
  readonly state: JobState;
  readonly isCancelRequested: boolean;
  readonly done: number;
  readonly total: number | null;
  readonly result: Record<string, unknown> | null;
  readonly error: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly updatedAt: Date;
}
