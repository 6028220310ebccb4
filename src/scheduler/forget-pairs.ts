/** What domains have seen of shared proxies that they have not used for long goes: a walk over all pairs, once a day. */
import { takeJob } from '../engine/upkeep/take-job.ts';
import { loadSql } from '../platform/sql-file.ts';
import { inTransaction } from '../platform/transaction.ts';
import { type Ground, NOTHING, type Step } from './ground.ts';

const forgetPairs = loadSql(import.meta.url, './forget-pairs.sql');

const LOOK_MS = 60_000;
const JOB_SECONDS = 86_400;
const IDLE_DAYS = 30;
/** Looked at, not deleted: most of them stay. */
const PORTION = 2000;

interface Place {
  readonly domainId: number;
  readonly proxyId: number;
}

interface Look {
  readonly domainId: number | null;
  readonly proxyId: number | null;
  readonly count: number;
}

const BEFORE_ALL: Place = { domainId: 0, proxyId: 0 };

export function forgetIdlePairs({ db }: Ground): Step {
  // What one tick has no time for is gone on with in the next, without being due again.
  let after: Place | undefined;
  const step: { -readonly [Field in keyof Step]: Step[Field] } = {
    name: 'proxy pairs forgotten',
    everyMs: LOOK_MS,
    run: async (isTimeUp) => {
      if (after === undefined && !(await takeJob(db, 'proxy-pairs-forgotten', JOB_SECONDS))) return NOTHING;
      after ??= BEFORE_ALL;
      let count = 0;
      do {
        const { domainId, proxyId }: Place = after;
        const { rows } = await inTransaction(db, (tx) =>
          tx.query<Look>(forgetPairs, [domainId, proxyId, IDLE_DAYS, PORTION]),
        );
        count += rows[0]?.count ?? 0;
        after = placeOf(rows[0]);
      } while (after !== undefined && !isTimeUp());
      step.everyMs = after === undefined ? LOOK_MS : 0;
      return { ...NOTHING, count };
    },
  };
  return step;
}

function placeOf(look: Look | undefined): Place | undefined {
  if (look === undefined || look.domainId === null || look.proxyId === null) return undefined;
  return { domainId: look.domainId, proxyId: look.proxyId };
}
