/** The record of a domain's moves, and its row, as the clock of the test tells them. */
import type { Queryable } from '../../src/platform/database.ts';

export interface HistoryLine {
  /** From and to, as in `active>blocked`. */
  readonly move: string;
  readonly code: string;
  /** Rest that was set by the move, in whole hours. */
  readonly restHours: number | null;
}

export async function readHistory(db: Queryable, startsWith: string): Promise<HistoryLine[]> {
  const { rows } = await db.query<HistoryLine>(
    `select e.from_status || '>' || e.to_status as move, e.code,
            round(extract(epoch from e.next_crawl_after - e.at) / 3600)::int as "restHours"
       from domain_events e join domains d on d.id = e.domain_id
      where starts_with(d.domain, $1) order by e.id`,
    [`${startsWith}.`],
  );
  return rows;
}

export interface DomainState {
  readonly status: string;
  readonly code: string;
  readonly retries: number;
  readonly isRefreshing: boolean;
  readonly runId: number;
  /** Until it may be claimed again, in whole hours; null when no time is set. */
  readonly restHours: number | null;
  readonly claimedBy: string | null;
  readonly pages: number;
}

export async function readState(db: Queryable, startsWith: string): Promise<DomainState> {
  const { rows } = await db.query<DomainState>(
    `select status::text as status, status_code as code, automatic_retry_count::int as retries,
            is_refreshing as "isRefreshing", run_id::int as "runId", claimed_by as "claimedBy",
            pages_crawled::int as pages,
            round(extract(epoch from next_crawl_after - forager_now()) / 3600)::int as "restHours"
       from domains where starts_with(domain, $1)`,
    [`${startsWith}.`],
  );
  const [row] = rows;
  if (row === undefined || rows.length > 1)
    throw new Error(`${rows.length} domains are called ${startsWith}`);
  return row;
}
