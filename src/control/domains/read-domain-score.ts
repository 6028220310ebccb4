/** What a domain's score is made of. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';

const readScore = loadSql(import.meta.url, './read-domain-score.sql');

export interface DomainScore {
  readonly rankPoints: number;
  readonly imagePoints: number;
  readonly productPoints: number;
  readonly remainingPoints: number;
  readonly errorPoints: number;
  readonly stalenessPoints: number;
  /** The sum of the terms, as it is at this moment. */
  readonly score: number;
  readonly seedRank: number | null;
  /** Images stored, products found, images found: each for a page read. */
  readonly imageYield: number | null;
  readonly productYield: number | null;
  readonly imagesPerPage: number | null;
  readonly errorRate: number | null;
  readonly pagesRemaining: number;
  /** Since the last visit, or since it was first heard of. */
  readonly idleDays: number;
  readonly wasVisited: boolean;
  /** What the claim goes by until it is computed again. */
  readonly storedScore: number;
  /** Null: never computed. */
  readonly storedAt: Date | null;
  readonly storedAgeSeconds: number | null;
}

export async function readDomainScore(db: Database, id: number): Promise<DomainScore> {
  const [score] = (await db.query<DomainScore>(readScore, [id])).rows;
  if (score === undefined) throw new Error(`domain ${id} has just been deleted`);
  return score;
}
