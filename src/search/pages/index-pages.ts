/**
 * Takes the text of pages that were read, or read anew, out of their kept bodies and makes it searchable. Beside the
 * crawl: which pages are due is an index of the table itself, and a page is locked only for the moment in which its
 * text is written.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import type { PageBodyColumns } from '../../control/pages/page-row.ts';
import { articleOf, readPageBody } from '../../control/pages/read-page-body.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';

const findDue = loadSql(import.meta.url, './find-due-pages.sql');
const countDue = loadSql(import.meta.url, './count-due-pages.sql');
const keepTexts = loadSql(import.meta.url, './keep-texts.sql');
const dropTexts = loadSql(import.meta.url, './drop-texts.sql');
const noteTitleWords = loadSql(import.meta.url, './note-title-words.sql');

const PORTION = 50;
const MOST_TEXT_CHARS = 50_000;
/** Of larger ones only what they say of themselves is searchable: taking one apart would hold up everything else. */
const MOST_BODY_BYTES = 2 * 1024 * 1024;

interface DuePage extends PageBodyColumns {
  readonly id: number;
  readonly domainId: number;
  readonly urlHash: Buffer;
  readonly url: string;
  readonly language: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly contentHash: Buffer | null;
  readonly crawledAt: Date;
  readonly contentLength: number;
  readonly isWanted: boolean;
}

export interface PageIndexing {
  readonly db: Database;
  readonly warcDirectory: string;
}

export async function countDuePages(db: Database): Promise<number> {
  return (await db.query<{ count: number }>(countDue)).rows[0]?.count ?? 0;
}

/** Until nothing is due or it is told to stop; tells how many after each portion. Each page is tried once. */
export async function indexPages(
  { db, warcDirectory }: PageIndexing,
  isOver: () => boolean = () => false,
  onPortion: (count: number) => void = () => undefined,
): Promise<number> {
  let count = 0;
  let after = 0;
  while (!isOver()) {
    const { rows: due } = await db.query<DuePage>(findDue, [after, PORTION]);
    const last = due.at(-1);
    if (last === undefined) break;
    after = last.id;
    await indexPortion(db, warcDirectory, due);
    count += due.length;
    onPortion(count);
  }
  return count;
}

async function indexPortion(db: Database, warcDirectory: string, due: readonly DuePage[]): Promise<void> {
  const wanted = due.filter(({ isWanted }) => isWanted);
  const unwanted = due.filter(({ isWanted }) => !isWanted).map(({ id }) => id);
  const texts: string[] = [];
  for (const page of wanted) texts.push(await readText(warcDirectory, page));
  const titles = wanted.flatMap(({ title }) => title ?? []);
  await inTransaction(db, async (tx) => {
    if (unwanted.length > 0) await tx.query(dropTexts, [unwanted]);
    if (wanted.length === 0) return;
    await tx.query(keepTexts, [
      wanted.map(({ domainId }) => domainId),
      wanted.map(({ urlHash }) => urlHash),
      wanted.map(({ id }) => id),
      wanted.map(({ language }) => language),
      wanted.map(({ title }) => title),
      texts,
      wanted.map(({ crawledAt }) => crawledAt),
      wanted.map(({ contentHash }) => contentHash),
      wanted.map(({ description }) => description),
    ]);
    await tx.query(noteTitleWords, [titles]);
  });
}

/** The article; where there is no body, or none to be read here, what the page says of itself. */
async function readText(warcDirectory: string, page: DuePage): Promise<string> {
  const said = page.description ?? '';
  if (page.contentLength > MOST_BODY_BYTES) return said;
  try {
    const body = await readPageBody(warcDirectory, page, MOST_BODY_BYTES);
    if (body.kind !== 'kept') return said;
    // One article takes milliseconds: others in this process get their turn between two.
    await breathe();
    const { text } = articleOf(body, page.url);
    const kept = text === '' ? said : text;
    return kept.slice(0, MOST_TEXT_CHARS).replaceAll('\0', '');
  } catch {
    // A page that cannot be taken apart must not keep the others from being found.
    return said;
  }
}
