/**
 * Tasks that wait for one that is completed wait no longer. A few are let go by whoever completes it; where thousands
 * wait, it is done here, a portion in each transaction.
 */
import { loadSql } from '../platform/sql-file.ts';
import { inTransaction } from '../platform/transaction.ts';
import type { Ground, Step } from './ground.ts';

const readReleases = loadSql(import.meta.url, './read-releases.sql');
const releaseTasks = loadSql(import.meta.url, './release-waiting.sql');
const forgetReleases = loadSql(import.meta.url, './forget-releases.sql');

const PORTION = 1000;

export function releaseWaiting({ db }: Ground): Step {
  const releasePortion = () =>
    inTransaction(db, async (tx) => {
      const { rows } = await tx.query<{ taskId: number }>(readReleases);
      const parents = rows.map(({ taskId }) => taskId);
      if (parents.length === 0) return { released: 0, isOver: true, isHeldUp: false };
      const { rowCount: released } = await tx.query(releaseTasks, [parents, PORTION]);
      const { rowCount: forgotten } = await tx.query(forgetReleases, [parents]);
      // Where nothing came of it, somebody has the rest in hand.
      const isHeldUp = released === 0 && forgotten === 0;
      return { released, isOver: isHeldUp, isHeldUp };
    });
  const run = async (isTimeUp: () => boolean) => {
    for (let count = 0; ; ) {
      const { released, isOver, isHeldUp } = await releasePortion();
      count += released;
      if (isOver || isTimeUp()) return { count, isMore: !isOver, isHeldUp };
    }
  };
  return { name: 'released', everyMs: 0, run };
}
