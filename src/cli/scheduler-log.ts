/** What the scheduler tells, as lines of a log: of a tick only when it did something. */
import { messageOf } from '../platform/database-errors.ts';
import type { SchedulerEvent } from '../scheduler/scheduler.ts';

/** The part of the server's log that is needed; the scheduler by itself has one of its own. */
export interface RoleLog {
  debug(fields: object, sentence: string): void;
  info(fields: object, sentence: string): void;
  warn(fields: object, sentence: string): void;
  error(fields: object, sentence: string): void;
}

export function logSchedulerEvent(log: RoleLog, event: SchedulerEvent): void {
  switch (event.kind) {
    case 'leading':
      log.info({}, 'this scheduler leads');
      return;
    case 'waiting':
      log.info({}, 'another scheduler leads; this one takes its place when it is gone');
      return;
    case 'ticked': {
      const { counts, durationMs } = event.report;
      if (Object.keys(counts).length === 0) return;
      log.info({ ...counts, durationMs: Math.round(durationMs) }, 'scheduled');
      return;
    }
    case 'step-failed':
      log.error({ step: event.step, err: event.error }, 'a step of the scheduler failed; it is tried again');
      return;
    case 'lost':
      log.warn(
        { message: messageOf(event.error), pauseMs: event.pauseMs },
        'the scheduler has lost the database; it tries again',
      );
  }
}
