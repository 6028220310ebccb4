/** robots.txt as last seen, kept in the database so that a restart does not ask again. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import type { RobotsAccess } from './robots-access.ts';
import type { RobotsReading } from './robots-book.ts';

const loadRobots = loadSql(import.meta.url, './load-robots.sql');
const saveRobotsReading = loadSql(import.meta.url, './save-robots.sql');

interface RobotsRow {
  domain_id: number;
  origin: string;
  access: RobotsAccess;
  http_status: number | null;
  body: Buffer | null;
  note: string | null;
  fetched_at: Date;
  expires_at: Date;
}

/** The readings of the domains' origins, stale ones included: better than none while a server is down. */
export async function loadRobotsReadings(
  db: Database,
  domainIds: readonly number[],
): Promise<Map<number, RobotsReading[]>> {
  const { rows } = await db.query<RobotsRow>(loadRobots, [domainIds]);
  const readings = new Map<number, RobotsReading[]>(domainIds.map((id) => [id, []]));
  for (const row of rows) {
    readings.get(row.domain_id)?.push({
      origin: row.origin,
      access: row.access,
      httpStatus: row.http_status ?? undefined,
      body: row.body ?? undefined,
      note: row.note ?? undefined,
      fetchedAt: row.fetched_at,
      expiresAt: row.expires_at,
    });
  }
  return readings;
}

export async function saveRobots(
  tx: Transaction,
  domainId: number,
  reading: RobotsReading,
  crawlDelaySeconds: number | undefined,
): Promise<void> {
  await tx.query(saveRobotsReading, [
    domainId,
    reading.origin,
    reading.access,
    reading.httpStatus ?? null,
    reading.body ?? null,
    reading.note ?? null,
    crawlDelaySeconds ?? null,
    reading.fetchedAt,
    reading.expiresAt,
  ]);
}
