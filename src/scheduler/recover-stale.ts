/** Tasks of workers that are gone: fetched again by another, or parsed from what was kept. Costs no retry. */
import { freeExpiredClaims } from '../engine/claim/claim-domains.ts';
import { loadSql } from '../platform/sql-file.ts';
import { announceTasks, type LostTask, type ReadyTask } from './announce-tasks.ts';
import type { Ground, Step } from './ground.ts';
import { type Candidate, moveInPortions } from './move-in-portions.ts';
import { noteQueued } from './note-queued.ts';

const findStale = loadSql(import.meta.url, './find-stale-tasks.sql');
const queueStale = loadSql(import.meta.url, './queue-stale-tasks.sql');
const findDownloaded = loadSql(import.meta.url, './find-downloaded.sql');
const queueDownloaded = loadSql(import.meta.url, './queue-downloaded.sql');

const EVERY_MS = 2000;

export function recoverStaleTasks({ db, distribution }: Ground): Step {
  const step = {
    db,
    find: async (tx, limit, passedOver) => (await tx.query<Candidate>(findStale, [limit, passedOver])).rows,
    move: async (tx, ids) => {
      const { rows } = await tx.query<LostTask>(queueStale, [ids]);
      await noteQueued(
        tx,
        rows.filter(({ isReady }) => isReady),
      );
      return rows;
    },
    afterwards: (lost) =>
      announceTasks(
        distribution,
        'crawl',
        lost.filter(({ isReady }) => isReady),
      ),
  } satisfies Parameters<typeof moveInPortions<LostTask>>[0];
  return {
    name: 'recovered',
    everyMs: EVERY_MS,
    run: async (isTimeUp) => {
      // Where no worker is left, nobody else ends the leases of those that died elsewhere.
      await freeExpiredClaims(db);
      return moveInPortions(step, isTimeUp);
    },
  };
}

export function leaveToParsers({ db, distribution }: Ground): Step {
  const step = {
    db,
    find: async (tx, limit, passedOver) =>
      (await tx.query<Candidate>(findDownloaded, [limit, passedOver])).rows,
    move: async (tx, ids) => (await tx.query<ReadyTask>(queueDownloaded, [ids])).rows,
    afterwards: (queued) => announceTasks(distribution, 'parse', queued),
  } satisfies Parameters<typeof moveInPortions<ReadyTask>>[0];
  return {
    name: 'left to parsers',
    everyMs: EVERY_MS,
    run: (isTimeUp) => moveInPortions(step, isTimeUp),
  };
}
