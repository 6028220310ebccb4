/** What could be meant by what somebody has typed so far. */
import type { Queryable } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';

const readKey = loadSql(import.meta.url, './read-key.sql');
const suggestLabels = loadSql(import.meta.url, './suggest-labels.sql');
const suggestNames = loadSql(import.meta.url, './suggest-names.sql');

export interface Suggestion {
  readonly kind: 'brand' | 'category' | 'product';
  readonly text: string;
  readonly count: number;
}

/** Brands and categories, the most frequent first, in at most the half of the places; then names of products. */
export async function suggest(db: Queryable, typed: string, limit: number): Promise<Suggestion[]> {
  const { rows: keys } = await db.query<{ key: string }>(readKey, [typed.trimStart()]);
  const key = keys[0]?.key ?? '';
  if (key.trim() === '') return [];
  const labels = (await db.query<Suggestion>(suggestLabels, [key, limit])).rows;
  const names = (await db.query<{ text: string }>(suggestNames, [key, limit])).rows;
  const kept = labels.slice(0, Math.max(Math.ceil(limit / 2), limit - names.length));
  const products = names.slice(0, limit - kept.length);
  return [...kept, ...products.map(({ text }) => ({ kind: 'product' as const, text, count: 1 }))];
}
