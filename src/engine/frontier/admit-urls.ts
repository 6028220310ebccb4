/** Puts candidates into the frontier; the primary key decides which of them are new. */
import { prepared } from '../../platform/database.ts';
import { booleanArray, byteaArray, numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import type { Candidate } from '../visit.ts';

const admit = prepared('admit-urls', loadSql(import.meta.url, './admit-urls.sql'));

interface Newcomer {
  readonly domainId: number;
  readonly candidate: Candidate;
}

export interface Admitted {
  readonly addedCount: number;
  readonly addedByDomain: Map<number, number>;
  readonly addedTemplates: Map<number, Map<string, number>>;
  readonly knownTemplates: { readonly domainId: number; readonly template: string }[];
}

export async function admitUrls(tx: Transaction, newcomers: readonly Newcomer[]): Promise<Admitted> {
  const admitted: Admitted = {
    addedCount: 0,
    addedByDomain: new Map(),
    addedTemplates: new Map(),
    knownTemplates: [],
  };
  if (newcomers.length === 0) return admitted;
  const result = await tx.query<{ domain_id: number; url_hash: Buffer }>(admit, [
    numberArray(newcomers.map(({ domainId }) => domainId)),
    byteaArray(newcomers.map(({ candidate }) => candidate.hash)),
    textArray(newcomers.map(({ candidate }) => candidate.url)),
    numberArray(newcomers.map(({ candidate }) => candidate.depth)),
    numberArray(newcomers.map(({ candidate }) => candidate.priority)),
    booleanArray(newcomers.map(({ candidate }) => candidate.isSeed)),
    numberArray(newcomers.map(({ candidate }) => candidate.redirectCount)),
  ]);
  const added = new Set(result.rows.map((row) => `${row.domain_id}:${row.url_hash.toString('latin1')}`));
  for (const row of result.rows) increment(admitted.addedByDomain, row.domain_id);
  for (const { domainId, candidate } of newcomers) {
    if (candidate.template === undefined) continue;
    if (!added.has(`${domainId}:${candidate.hash.toString('latin1')}`)) {
      admitted.knownTemplates.push({ domainId, template: candidate.template });
      continue;
    }
    const counts = admitted.addedTemplates.get(domainId) ?? new Map<string, number>();
    admitted.addedTemplates.set(domainId, counts);
    increment(counts, candidate.template);
  }
  return { ...admitted, addedCount: result.rows.length };
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
