/** The steps of a task's life in the database, each by the program's own function, as scheduler and worker call it. */
import {
  byKeyOnly,
  claimDomains,
  inTransaction,
  LEASE_MS,
  openDistribution,
  queueDueTasks,
  STANDING_RUN,
  settleTasks,
  submitTasks,
  TURN_PAGES,
  takeTasks,
} from './engine.mjs';

export const WORKER = 'bench-worker';
/** A worker takes at most so many at a time. */
export const LOT = 200;
const RULES = { unknownDomains: 'create', allowPrivate: false };
const ACTOR = { name: 'bench' };

export async function openSteps(db) {
  const distribution = await openDistribution({ config: {}, db });
  const { run: queue } = queueDueTasks({ db, distribution });
  return {
    /** As the API does it for a call with all of them. Their numbers. */
    submit: async (urls) => {
      const submission = { tasks: urls.map((url) => ({ url })), onError: 'skip' };
      const { ids, problems } = await submitTasks(db, submission, RULES, ACTOR);
      if (problems.length > 0) throw new Error(`a task was refused: ${problems[0].reason}`);
      return ids;
    },
    /** What the scheduler does with whatever is due, hints included. How many it were. */
    queueAll: async () => (await queue(() => false)).count,
    /** One portion of it. */
    queuePortion: async () => (await queue(() => true)).count,
    claim: (limit) => claim(db, limit),
    take: (lease) => takeTasks(db, WORKER, lease, LOT, []),
    /** What the commit of their pages does for the tasks themselves. */
    settle: (lease, due) =>
      inTransaction(db, async (tx) => {
        const visits = due.map((each) => describeVisit(lease, each));
        await tx.query(byKeyOnly);
        await settleTasks(tx, WORKER, visits, { bodies: new Map(), stranded: new Set() });
      }),
    close: () => distribution.close(),
  };
}

async function claim(db, limit) {
  const claimed = await claimDomains(db, {
    runId: STANDING_RUN,
    workerId: WORKER,
    leaseMs: LEASE_MS,
    limit,
    order: 'score',
    maxPagesPerDomain: undefined,
    turnPages: TURN_PAGES,
    isFair: true,
    excluded: [],
  });
  return claimed.map(({ id, domain, parent_domain: parentDomain, version }) => ({
    domainId: id,
    domain,
    parentDomain,
    version,
  }));
}

function describeVisit(lease, due) {
  return {
    lease,
    due,
    outcome: { kind: 'page', httpStatus: 200, message: undefined, holdMs: undefined },
    fetchedAt: new Date(),
    durationMs: 60,
  };
}
