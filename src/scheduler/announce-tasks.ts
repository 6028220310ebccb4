/** Hints for what has become ready: one for each domain, after the commit. */
import {
  type Distribution,
  MOST_TASKS_IN_HINT,
  type WorkHint,
  type WorkKind,
} from '../distribution/distribution.ts';

export interface ReadyTask {
  readonly id: number;
  readonly domainId: number;
  readonly priority: number;
}

/** Whoever had it is gone. One that is given up for that is nobody's to take. */
export interface LostTask extends ReadyTask {
  readonly isReady: boolean;
}

export async function announceTasks(
  distribution: Pick<Distribution, 'announce'>,
  kind: WorkKind,
  tasks: readonly ReadyTask[],
): Promise<void> {
  if (tasks.length > 0) await distribution.announce(makeHints(kind, tasks));
}

export function makeHints(kind: WorkKind, tasks: readonly ReadyTask[]): WorkHint[] {
  const byDomain = new Map<number, ReadyTask[]>();
  for (const task of tasks) {
    const known = byDomain.get(task.domainId);
    if (known === undefined) byDomain.set(task.domainId, [task]);
    else known.push(task);
  }
  return [...byDomain].map(([domainId, ofDomain]) => {
    const ordered = ofDomain.toSorted((a, b) => a.priority - b.priority || a.id - b.id);
    return {
      ...{ kind, domainId, priority: ordered[0]?.priority ?? 5 },
      taskIds: ordered.slice(0, MOST_TASKS_IN_HINT).map(({ id }) => id),
    };
  });
}
