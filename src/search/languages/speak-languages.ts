/**
 * After somebody has said in which language a domain is to be searched: its products and pages are made searchable anew,
 * a portion in each transaction. New ones are from the beginning.
 */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';

const takeDue = loadSql(import.meta.url, './take-due.sql');
const speakProducts = loadSql(import.meta.url, './speak-products.sql');
const speakPages = loadSql(import.meta.url, './speak-pages.sql');
const moveDue = loadSql(import.meta.url, './move-due.sql');
const endDue = loadSql(import.meta.url, './end-due.sql');

const PORTION = 200;

interface Due {
  readonly domainId: number;
  readonly language: string | null;
  readonly afterProduct: Buffer;
  readonly afterPage: Buffer;
}

/**
 * One portion of one domain whose language was changed before that moment; false: there is none. Whoever wrote
 * products in the same moment has not seen the new language: that moment is a while ago, so they are done, too.
 */
export async function speakLanguages(db: Database, before: Date): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const [due] = (await tx.query<Due>(takeDue, [before])).rows;
    if (due === undefined) return false;
    const product = await speak(tx, speakProducts, due, due.afterProduct);
    const page = await speak(tx, speakPages, due, due.afterPage);
    if (product === undefined && page === undefined) await tx.query(endDue, [due.domainId]);
    else await tx.query(moveDue, [due.domainId, product ?? due.afterProduct, page ?? due.afterPage]);
    return true;
  });
}

/** The last one of the portion; undefined: there was none. */
async function speak(
  tx: Transaction,
  statement: string,
  { domainId, language }: Due,
  after: Buffer,
): Promise<Buffer | undefined> {
  const { rows } = await tx.query<{ urlHash: Buffer }>(statement, [domainId, after, language, PORTION]);
  return rows[0]?.urlHash;
}
