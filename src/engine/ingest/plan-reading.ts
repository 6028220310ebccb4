/**
 * When a page is read again, and what its reading has shown.
 *
 * The time between two readings follows the page: half as long after a change, half as long again after none,
 * between a floor and a ceiling. A page that is missing is in quarantine: it is kept, asked for again soon, and
 * counts as gone only when it was missing often enough while other known pages of its domain were there.
 */
import type { RefreshSettings } from '../crawl-settings.ts';
import { CONSEQUENCES } from '../outcome.ts';
import type { Visit } from '../visit.ts';

const AFTER_CHANGE = 0.5;
const AFTER_NONE = 1.5;

export type Finding =
  /** Read for the first time. */
  | 'new'
  | 'unchanged'
  | 'changed'
  /** Not there, for now. */
  | 'missing'
  | 'gone'
  /** It could not be read: nothing is known of it. */
  | 'unread';

export interface ReadingPlan {
  readonly finding: Finding;
  /** The URL stays one that has been read, whatever this visit met. */
  readonly isKept: boolean;
  /** Where a page was is something else now: a redirect, a file. */
  readonly isReplaced: boolean;
  readonly refreshSeconds: number | undefined;
  readonly nextCrawlAt: Date | undefined;
  readonly missCount: number;
}

export function planReading(visit: Visit, refresh: RefreshSettings): ReadingPlan {
  const { known } = visit.due;
  const isGood = CONSEQUENCES[visit.outcome.kind].closesAs === 'fetched';
  if (known === undefined) {
    const refreshSeconds = isGood ? withinBounds(refresh.firstSeconds, refresh) : undefined;
    return plan(visit, isGood ? 'new' : 'unread', false, refreshSeconds);
  }
  const lastSeconds = known.refreshSeconds ?? refresh.firstSeconds;
  if (isGood) {
    const finding = isChanged(visit) ? 'changed' : 'unchanged';
    const seconds = lastSeconds * (finding === 'changed' ? AFTER_CHANGE : AFTER_NONE);
    return plan(visit, finding, false, withinBounds(seconds, refresh));
  }
  if (visit.outcome.kind === 'gone') {
    const missCount = known.missCount + (visit.isDomainHealthy ? 1 : 0);
    // Also one that is gone is looked for again, rarely: pages come back.
    if (missCount >= refresh.goneAfterMisses) {
      return plan(visit, 'gone', true, lastSeconds, missCount, refresh.ceilingSeconds);
    }
    // In quarantine from the first miss on, also while nobody can say whose fault it is.
    return plan(visit, 'missing', true, lastSeconds, Math.max(1, missCount), refresh.floorSeconds);
  }
  return plan(visit, 'unread', true, lastSeconds, known.missCount, waitSeconds(visit, lastSeconds, refresh));
}

/** How long a page that could not be read waits for the next attempt. */
function waitSeconds({ outcome }: Visit, lastSeconds: number, { floorSeconds }: RefreshSettings): number {
  // A domain that asked for rest rests as a whole: the page is as due as it was.
  if (outcome.kind === 'throttled') return 0;
  // Rules change; as long as they forbid it, it is not asked for.
  if (outcome.kind === 'robots-denied' || outcome.kind === 'private-address') return lastSeconds;
  return floorSeconds;
}

function withinBounds(seconds: number, { floorSeconds, ceilingSeconds }: RefreshSettings): number {
  return Math.min(Math.max(Math.round(seconds), floorSeconds), ceilingSeconds);
}

function isChanged(visit: Visit): boolean {
  if (visit.outcome.kind === 'not-modified') return false;
  const before = visit.due.known?.contentHash;
  const after = contentHashOf(visit);
  // It was a page and is something else now (a redirect, a file), or the other way round.
  if (after === undefined || before === undefined) return (after === undefined) !== (before === undefined);
  return !after.equals(before);
}

function isReplaced(visit: Visit): boolean {
  const { outcome, due } = visit;
  const isGood = CONSEQUENCES[outcome.kind].closesAs === 'fetched' && outcome.kind !== 'not-modified';
  return isGood && contentHashOf(visit) === undefined && due.known?.contentHash !== undefined;
}

/** Of what was found: of a page its text, of an image its bytes; undefined: neither is there. */
export function contentHashOf({ page, image }: Visit): Buffer | undefined {
  return page?.contentHash ?? (image?.kind === 'kept' ? image.contentHash : undefined);
}

function plan(
  visit: Visit,
  finding: Finding,
  isKept: boolean,
  refreshSeconds: number | undefined,
  missCount = 0,
  waitSeconds = refreshSeconds,
): ReadingPlan {
  const nextCrawlAt =
    waitSeconds === undefined ? undefined : new Date(visit.fetchedAt.getTime() + waitSeconds * 1000);
  return { finding, isKept, isReplaced: isReplaced(visit), refreshSeconds, nextCrawlAt, missCount };
}
