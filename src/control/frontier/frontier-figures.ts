/**
 * How large the frontier is. Counting reads every URL there is, so the figures are kept: counted again when they are
 * fifty times as old as counting them took, which keeps it to two percent of the database's time however many
 * URLs there are and however many ask.
 */
import { monotonicMs, now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { DomainStatus } from '../domains/list-domains.ts';
import type { UrlState } from './list-urls.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const countUrls = load('count-urls');
const countBacklog = load('count-backlog');
const countDomainStates = load('count-domain-states');

const TIMES_AS_OLD = 50;
const MOST_DOMAINS = 20;

export interface FrontierFigures {
  readonly urls: Readonly<Record<UrlState | 'total', number>>;
  readonly dueByPriority: { readonly high: number; readonly normal: number; readonly low: number };
  readonly oldestDueAt: Date | null;
  readonly domains: readonly DomainStates[];
  readonly topDomains: readonly { readonly domain: string; readonly due: number }[];
  readonly countedAt: Date;
  readonly countedInMs: number;
}

interface DomainStates {
  readonly status: DomainStatus;
  readonly total: number;
  readonly claimed: number;
  readonly ready: number;
  readonly resting: number;
  readonly switchedOff: number;
}

interface UrlCount {
  readonly state: UrlState;
  readonly priority: number;
  readonly count: number;
  readonly oldestAt: Date;
}

/** Asked by many, counted by one. `db` is one that may take its time. */
export function keepFrontierFigures(db: Database): () => Promise<FrontierFigures> {
  let kept: { readonly figures: FrontierFigures; readonly freshUntilMs: number } | undefined;
  let counting: Promise<FrontierFigures> | undefined;
  const count = async (): Promise<FrontierFigures> => {
    try {
      const startedMs = monotonicMs();
      const figures = await countFrontier(db, startedMs);
      kept = { figures, freshUntilMs: monotonicMs() + TIMES_AS_OLD * (monotonicMs() - startedMs) };
      return figures;
    } finally {
      counting = undefined;
    }
  };
  return async () => {
    if (kept !== undefined && monotonicMs() < kept.freshUntilMs) return kept.figures;
    counting ??= count();
    // Nobody waits for the next figures while there are some.
    if (kept === undefined) return counting;
    counting.catch(() => undefined);
    return kept.figures;
  };
}

async function countFrontier(db: Database, startedMs: number): Promise<FrontierFigures> {
  const countedAt = now();
  const urls = (await db.query<UrlCount>(countUrls)).rows;
  const topDomains = (await db.query<{ domain: string; due: number }>(countBacklog, [MOST_DOMAINS])).rows;
  const domains = (await db.query<DomainStates>(countDomainStates)).rows;
  const sum = (fits: (row: UrlCount) => boolean): number =>
    urls.filter(fits).reduce((total, { count }) => total + count, 0);
  const ofState = (state: UrlState): number => sum((row) => row.state === state);
  const due = urls.filter(({ state }) => state === 'due');
  const dueOf = (priority: number): number => due.find((row) => row.priority === priority)?.count ?? 0;
  const oldest = due.map(({ oldestAt }) => oldestAt.getTime());
  return {
    urls: {
      ...{ total: sum(() => true), due: ofState('due'), waiting: ofState('waiting') },
      ...{ fetched: ofState('fetched'), failed: ofState('failed'), blocked: ofState('blocked') },
    },
    dueByPriority: { high: dueOf(3), normal: dueOf(2), low: dueOf(1) },
    oldestDueAt: oldest.length === 0 ? null : new Date(Math.min(...oldest)),
    ...{ domains, topDomains, countedAt },
    countedInMs: Math.round(monotonicMs() - startedMs),
  };
}
