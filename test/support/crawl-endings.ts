/** What became of a domain: its row, and the record of its moves. */
import { expect } from 'vitest';
import type { Queryable } from '../../src/platform/database.ts';

export interface DomainMove {
  readonly to: string;
  readonly code: string;
  readonly reason: string | null;
  readonly days: number | null;
}

export interface DomainEnding {
  readonly status: string;
  readonly code: string | null;
  readonly reason: string | null;
  /** Rest, counted by the database from the last visit. */
  readonly days: number | null;
  /** Moves out of `active`, oldest first. */
  readonly moves: readonly DomainMove[];
}

export async function readEnding(db: Queryable, startsWith: string): Promise<DomainEnding> {
  const { rows } = await db.query<Omit<DomainEnding, 'moves'> & { id: number }>(
    `select id, status::text as status, block_reason_code as code, block_reason as reason,
            round(extract(epoch from next_crawl_after - last_crawled_at) / 86400)::int as days
       from domains where starts_with(domain, $1)`,
    [`${startsWith}.`],
  );
  const [row] = rows;
  if (row === undefined || rows.length > 1)
    throw new Error(`${rows.length} domains are called ${startsWith}`);
  const moves = await db.query<DomainMove>(
    `select to_status::text as to, code, reason, round(extract(epoch from next_crawl_after - at) / 86400)::int as days
       from domain_events where domain_id = $1 and from_status = 'active' order by id`,
    [row.id],
  );
  const { id: _id, ...ending } = row;
  return { ...ending, moves: moves.rows };
}

/** Status, code and rest, in the domain's row and in the record of its moves alike. */
export async function expectEnding(
  db: Queryable,
  name: string,
  ending: { readonly status: string; readonly code: string; readonly days: number },
): Promise<DomainEnding> {
  const found = await readEnding(db, name);
  expect(found).toMatchObject(ending);
  expect(found.reason).toMatch(/\w/);
  const { status, code, days } = ending;
  expect(found.moves).toEqual([{ to: status, code, reason: found.reason, days }]);
  return found;
}
