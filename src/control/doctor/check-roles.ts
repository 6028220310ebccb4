/** Is there somebody for every kind of work that waits? */
import type { Database } from '../../platform/database.ts';
import { errorCode } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { type Check, ok, warning } from './check.ts';

const readRoles = loadSql(import.meta.url, './read-roles.sql');

const COUNTED_TO = 10_001;
/** No table or no column of that name: the schema is older, which is told elsewhere. */
const OLDER_SCHEMA = ['42P01', '42703'];

interface Roles {
  readonly dueTasks: number;
  readonly duePolicies: number;
  readonly queuedTasks: number;
  readonly tasksToParse: number;
  readonly schedulers: number;
  readonly crawlers: number;
  readonly parsers: number;
  readonly isSomebodyCrawling: boolean;
  readonly isSomebodyParsing: boolean;
}

export async function checkRoles(db: Database): Promise<Check[]> {
  try {
    const [roles] = (await db.query<Roles>(readRoles, [COUNTED_TO])).rows;
    return roles === undefined ? [] : judge(roles);
  } catch (error) {
    if (OLDER_SCHEMA.includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}

function judge(roles: Roles): Check[] {
  const { schedulers, crawlers, parsers } = roles;
  const checks: Check[] = [];
  const due = [tell(roles.dueTasks, 'task', 'tasks'), tell(roles.duePolicies, 'policy', 'policies')].filter(
    (text) => text !== undefined,
  );
  if (schedulers === 0 && due.length > 0) {
    const message = `${due.join(' and ')} due, and no scheduler is at work to queue them`;
    checks.push(
      warning('scheduler', message, 'start one: "forager scheduler" (or "forager up", which has one)'),
    );
  }
  const queued = tell(roles.queuedTasks, 'task', 'tasks');
  if (crawlers === 0 && !roles.isSomebodyCrawling && queued !== undefined) {
    const message = `${queued} queued, and no worker that crawls is at work`;
    checks.push(warning('crawlers', message, 'start one: "forager worker" (or "forager up", which has one)'));
  }
  const toParse = tell(roles.tasksToParse, 'task', 'tasks');
  if (parsers === 0 && !roles.isSomebodyParsing && toParse !== undefined) {
    const message = `${toParse} fetched and left to a parser, and none is at work`;
    checks.push(
      warning(
        'parsers',
        message,
        'start one: "forager worker --parse-only", or a worker without --crawl-only',
      ),
    );
  }
  if (checks.length > 0) return checks;
  const present = `schedulers: ${schedulers}, workers that crawl: ${crawlers}, that parse: ${parsers}`;
  return [ok('roles', `no work waits for somebody who is not there (${present})`)];
}

function tell(count: number, one: string, many: string): string | undefined {
  if (count === 0) return undefined;
  if (count >= COUNTED_TO) return `more than ${(COUNTED_TO - 1).toLocaleString('en-US')} ${many} are`;
  return count === 1 ? `1 ${one} is` : `${count.toLocaleString('en-US')} ${many} are`;
}
