/** Jobs that are asked for, come along and end. */
import type { LiveEvent } from '../../contract/live.ts';
import { type Database, prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { ListWatch, type Watch } from './watch.ts';

const statement = prepared('watched-jobs', loadSql(import.meta.url, './watched-jobs.sql'));

type JobEvent = Extract<LiveEvent, { type: 'job' }>;
type JobRow = Omit<JobEvent, 'type'>;

const UNFINISHED: readonly string[] = ['queued', 'running'];
const TOLD = ['state', 'isCancelRequested', 'done', 'total'] as const;

export function watchJobs(db: Database): Watch {
  return new ListWatch<JobRow>(db, {
    statement,
    isOver: ({ state }) => !UNFINISHED.includes(state),
    tell: (row, before) => {
      const isNews = before === undefined || TOLD.some((field) => row[field] !== before[field]);
      return isNews ? [{ type: 'job', ...row }] : [];
    },
  });
}
