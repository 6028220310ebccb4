/** Words that nothing has are taken to be misspelt: the nearest word that something has is searched for instead. */
import type { Database, Queryable } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { editDistance, mostEdits } from '../edit-distance.ts';
import { inSnapshot } from '../postgres/snapshot.ts';
import { makeTextQuery } from '../postgres/tsquery.ts';
import type { SearchQuery, SearchTerm } from '../search-query.ts';

const findMatch = loadSql(import.meta.url, './has-match.sql');
const findSimilar = loadSql(import.meta.url, './similar-words.sql');

const MOST_SIMILAR = 20;

export type Searched = 'products' | 'pages';

/** Undefined: there is nothing to correct, or nothing to correct it to. */
export async function correctQuery(
  db: Pick<Database, 'pool'>,
  query: SearchQuery,
  what: Searched,
): Promise<SearchQuery | undefined> {
  return inSnapshot(db, async (snapshot) => {
    const wanted: SearchTerm[] = [];
    for (const term of query.wanted) wanted.push((await correctTerm(snapshot, term, what)) ?? term);
    const isSame = wanted.every((term, index) => term === query.wanted[index]);
    return isSame ? undefined : { ...query, wanted };
  });
}

async function correctTerm(db: Queryable, term: SearchTerm, what: Searched): Promise<SearchTerm | undefined> {
  if (term.isPhrase || mostEdits(term.text) === 0) return undefined;
  const query = await makeTextQuery(db, what, { wanted: [term], unwanted: [] }, false);
  if (query === undefined) return undefined;
  const { rows } = await db.query<{ hasMatch: boolean }>(findMatch, [query.wanted, what === 'products']);
  if (rows[0]?.hasMatch === true) return undefined;
  const nearest = await findNearest(db, term.text);
  return nearest === undefined ? undefined : { text: nearest, isPhrase: false };
}

/** The fewest letters away; of several, the most used. */
async function findNearest(db: Queryable, word: string): Promise<string | undefined> {
  const { rows } = await db.query<{ word: string; usesCount: number }>(findSimilar, [word, MOST_SIMILAR]);
  const most = mostEdits(word);
  const plain = word.normalize('NFD').replace(/\p{M}/gu, '');
  const [best] = rows
    .map((row) => ({ ...row, distance: editDistance(plain, row.word, most) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance || b.usesCount - a.usesCount);
  return best?.word;
}
