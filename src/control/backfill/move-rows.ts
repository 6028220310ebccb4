/**
 * Rows that hang on one domain are hung on another: of a merged domain all, of a stray host its own. Where both
 * sides know the same thing, one row stays. The caller holds the rows of the domains concerned.
 */
import { numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import type { Moved } from './tally.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const dropLesserUrls = load('drop-lesser-urls');
const moveUrls = load('move-urls');
const dropLesserPages = load('drop-lesser-pages');
const movePages = load('move-pages');
const moveLog = load('move-log');
const dropLesserRobots = load('drop-lesser-robots');
const moveRobots = load('move-robots');
const dropLesserSitemaps = load('drop-lesser-sitemaps');
const moveSitemaps = load('move-sitemaps');
/** In this order: the tasks of a policy that goes are nobody's, and what is not over can be there once. */
const moveOrders = [
  'drop-lesser-policies',
  'move-policies',
  'cancel-lesser-tasks',
  'move-tasks',
  'move-errors',
  'drop-lesser-products',
  'move-products',
  'move-image-urls',
  'move-image-provenance',
].map(load);
/** Their tasks and products are their guides. Queues of bots need no move: the database notes tasks that come to a domain. */
const followers = ['move-dead-letters', 'move-results', 'move-product-events'].map(load);

export interface RowMove {
  readonly fromId: number;
  /** Only rows that speak of this host, as written in them; undefined: all rows. */
  readonly host: string | undefined;
  readonly toId: number;
}

export async function moveRows(tx: Transaction, moves: readonly RowMove[]): Promise<Moved> {
  const values = [
    numberArray(moves.map(({ fromId }) => fromId)),
    textArray(moves.map(({ host }) => host)),
    numberArray(moves.map(({ toId }) => toId)),
  ];
  const run = async (statement: string): Promise<number> => (await tx.query(statement, values)).rowCount;
  const duplicateUrls = await run(dropLesserUrls);
  const urls = await run(moveUrls);
  const duplicatePages = await run(dropLesserPages);
  const pages = await run(movePages);
  const fetches = await run(moveLog);
  for (const statement of [dropLesserRobots, moveRobots, dropLesserSitemaps, moveSitemaps])
    await run(statement);
  for (const statement of moveOrders) await run(statement);
  for (const statement of followers)
    await tx.query(statement, [numberArray(moves.map(({ fromId }) => fromId))]);
  return { urls, pages, fetches, duplicateUrls, duplicatePages };
}
