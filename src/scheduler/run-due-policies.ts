/** Standing orders whose time has come get their next task. Runs that were missed are run once. */
import { type StartedRun, startPolicies } from '../control/policies/start-policies.ts';
import { loadSql } from '../platform/sql-file.ts';
import type { Ground, Step } from './ground.ts';
import { type Candidate, moveInPortions } from './move-in-portions.ts';

const findDue = loadSql(import.meta.url, './find-due-policies.sql');
const lockDue = loadSql(import.meta.url, './lock-due-policies.sql');

export function runDuePolicies({ db }: Ground): Step {
  const step = {
    db,
    find: async (tx, limit, passedOver) => (await tx.query<Candidate>(findDue, [limit, passedOver])).rows,
    move: async (tx, ids) => {
      const { rows } = await tx.query<{ id: number }>(lockDue, [ids]);
      return startPolicies(
        tx,
        rows.map(({ id }) => id),
      );
    },
  } satisfies Parameters<typeof moveInPortions<StartedRun>>[0];
  return { name: 'policies run', everyMs: 0, run: (isTimeUp) => moveInPortions(step, isTimeUp) };
}
