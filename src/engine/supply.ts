/**
 * What a session works on next: explicit orders first, a lot at a time, then the due URLs of its frontier. Both are
 * read from the database beside the work, before they run out.
 */
import { now } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Settlement } from './claim/settle-domain.ts';
import type { CrawlSettings } from './crawl-settings.ts';
import type { DomainSession } from './domain-session.ts';
import { readImageWindow, readWindow } from './frontier/read-window.ts';
import type { Committer } from './ingest/committer.ts';
import { takeTasks } from './tasks/take-tasks.ts';
import { unmadeVisit } from './visit.ts';

export interface SupplyParts {
  readonly db: Database;
  readonly workerId: string;
  readonly settings: CrawlSettings;
  readonly committer: Committer;
  /** The session may go on. */
  readonly onReady: (session: DomainSession) => void;
  readonly onFailed: (error: unknown) => void;
}

export class Supply {
  readonly #parts: SupplyParts;

  constructor(parts: SupplyParts) {
    this.#parts = parts;
  }

  /** Asks for more where there is little left; the session is told when it is there. */
  replenish(session: DomainSession, mayTakeTasks = true): void {
    if (session.wantsTasks && mayTakeTasks) void this.#takeTasks(session);
    if (session.isLow && !session.isDry) void this.#refill(session);
  }

  /** The domain could not be asked about anything, so neither about what was ordered: that is an attempt that failed. */
  failTasks(session: DomainSession, { code, reason }: Settlement): void {
    const kind = code === 'private_address' ? 'private-address' : 'unreachable';
    const outcome = { kind, httpStatus: undefined, message: reason, holdMs: undefined } as const;
    for (const due of session.tasksInHand) {
      const visit = unmadeVisit(session.lease, due, now(), outcome);
      this.#parts.committer.addVisit(visit, { own: [], foreign: new Map() }, session.consecutiveErrors);
    }
    session.forgetTasks();
  }

  async #takeTasks(session: DomainSession): Promise<void> {
    const { db, workerId, onReady, onFailed } = this.#parts;
    session.isTakingTasks = true;
    session.hasTakenTasks = true;
    try {
      const lot = await takeTasks(db, workerId, session.lease, session.taskLot, session.hashesUnderWay());
      session.hasTasks = lot.hasMore;
      session.addTasks(lot.due);
    } catch (error) {
      onFailed(error);
    } finally {
      session.isTakingTasks = false;
      onReady(session);
    }
  }

  async #refill(session: DomainSession): Promise<void> {
    if (session.isRefilling) return;
    const { db, settings, onReady, onFailed } = this.#parts;
    const limit = session.beginRefill();
    try {
      // What is due soon is read now: a domain is woken once for all of it, not once for each.
      const soonSeconds = session.isRefreshing ? settings.refresh.floorSeconds / 2 : undefined;
      const { domainId } = session.lease;
      const isImagesOnly = session.isImagesOnly;
      const due = isImagesOnly
        ? await readImageWindow(db, domainId, limit)
        : await readWindow(db, domainId, limit, soonSeconds);
      // Asked for before its pages were used up.
      session.refill(isImagesOnly === session.isImagesOnly ? due : due.filter(({ isImage }) => isImage));
    } catch (error) {
      onFailed(error);
    } finally {
      session.isRefilling = false;
      onReady(session);
    }
  }
}
