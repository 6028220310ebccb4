/**
 * What people can do with a task, by the state it is in: THE table. The database has another one (task_status_moves),
 * of all moves that there are; every move of this one is among them.
 */
import { TASK_STATUSES, type TaskStatus } from '../../contract/task-shapes.ts';

export type MovingAction = 'pause' | 'resume' | 'cancel' | 'restart' | 'restart-parsing';
export type TaskAction = MovingAction | 'priority';

/** Nothing more happens with it unless somebody starts it again. */
export const OVER: readonly TaskStatus[] = ['completed', 'failed', 'cancelled', 'expired'];
export const NOT_OVER: readonly TaskStatus[] = TASK_STATUSES.filter((status) => !OVER.includes(status));

interface ActionRule {
  /** Undefined: its state stays what it is. */
  readonly to: TaskStatus | undefined;
  readonly from: readonly TaskStatus[];
  /** It is so already: harmless. */
  readonly unchanged: readonly TaskStatus[];
  /** What was done, or cannot be done: "it cannot be paused". */
  readonly done: string;
}

export const TASK_ACTIONS: Readonly<Record<TaskAction, ActionRule>> = {
  pause: {
    to: 'paused',
    from: ['pending', 'queued', 'crawling', 'parsing'],
    unchanged: ['paused'],
    done: 'paused',
  },
  resume: { to: 'pending', from: ['paused'], unchanged: ['pending', 'queued'], done: 'resumed' },
  cancel: {
    to: 'cancelled',
    from: TASK_STATUSES.filter((status) => status !== 'cancelled'),
    unchanged: ['cancelled'],
    done: 'cancelled',
  },
  restart: { to: 'pending', from: OVER, unchanged: ['pending', 'queued'], done: 'restarted' },
  'restart-parsing': {
    to: 'queued_parse',
    from: ['completed', 'failed', 'cancelled'],
    unchanged: ['downloaded', 'queued_parse', 'parsing'],
    done: 'parsed again',
  },
  priority: { to: undefined, from: NOT_OVER, unchanged: [], done: 'given another priority' },
};

export type Verdict = 'do' | 'unchanged' | 'refuse';

export function judge(action: TaskAction, status: TaskStatus): Verdict {
  const { from, unchanged } = TASK_ACTIONS[action];
  if (from.includes(status)) return 'do';
  return unchanged.includes(status) ? 'unchanged' : 'refuse';
}

/** Which actions would change something about a task in this state. */
export function possibleActions(status: TaskStatus): TaskAction[] {
  const actions = Object.keys(TASK_ACTIONS) as TaskAction[];
  return actions.filter((action) => TASK_ACTIONS[action].from.includes(status));
}
