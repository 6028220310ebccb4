/** Why a task does not run now, in one sentence: what decides comes first. */
import type { TaskStatus, WAIT_CODES } from '../../contract/task-shapes.ts';
import { BATCH_PAUSED } from '../batches/task-batch.ts';
import type { DomainStatus } from '../domains/list-domains.ts';

export interface WaitFacts {
  readonly status: TaskStatus;
  readonly scheduledAt: Date;
  readonly isEarly: boolean;
  readonly retryCount: number;
  readonly reason: string | null;
  readonly movedBy: string;
  readonly executor: 'forager' | 'bot';
  readonly isWaiting: boolean;
  readonly parentTaskId: number | null;
  readonly parentStatus: TaskStatus | null;
  readonly batchName: string | null;
  readonly isBatchPaused: boolean;
  readonly domain: string;
  readonly isActive: boolean;
  readonly domainStatus: DomainStatus;
  readonly blockReason: string | null;
  readonly restsUntil: Date | null;
  readonly maintenanceUntil: Date | null;
  readonly claimedBy: string | null;
  readonly isInCrawl: boolean;
  readonly isCrawlRunning: boolean | null;
  /** Of its domain, counted up to a thousand. */
  readonly aheadCount: number;
  readonly hasScheduler: boolean;
  readonly hasWorker: boolean;
}

export interface WaitsFor {
  readonly code: (typeof WAIT_CODES)[number];
  readonly sentence: string;
  readonly until: Date | null;
}

/** Null: it runs, or it is over. */
export function explainWait(facts: WaitFacts): WaitsFor | null {
  switch (facts.status) {
    case 'paused':
      return explainPause(facts);
    case 'pending':
      return explainPending(facts);
    case 'queued':
      return explainDomain(facts) ?? explainTurn(facts);
    case 'downloaded':
    case 'queued_parse':
      return explainParsing(facts);
    default:
      return null;
  }
}

function wait(code: WaitsFor['code'], sentence: string, until: Date | null = null): WaitsFor {
  return { code, sentence, until };
}

function explainPause({ reason, movedBy, batchName, isBatchPaused }: WaitFacts): WaitsFor {
  if (reason === BATCH_PAUSED && isBatchPaused) {
    return wait('batch-paused', `Its batch ${batchName} is paused, until somebody resumes it.`);
  }
  return wait('paused', `It was paused by ${movedBy}, until somebody resumes it.`);
}

function explainPending(facts: WaitFacts): WaitsFor {
  const { isWaiting, isEarly, scheduledAt, retryCount, executor, parentTaskId, parentStatus } = facts;
  if (isWaiting) {
    return wait('parent', `It waits for task ${parentTaskId} to be completed, which is ${parentStatus}.`);
  }
  if (isEarly && retryCount > 0) {
    return wait(
      'retry',
      `It failed and is tried again (retry ${retryCount}) when its time has come.`,
      scheduledAt,
    );
  }
  if (isEarly) return wait('scheduled', 'Its time has not come.', scheduledAt);
  if (executor === 'bot') return wait('bot', 'It waits for a bot to pull it.');
  if (facts.hasScheduler) return wait('scheduler', 'Its time has come: the scheduler queues it next.');
  return wait(
    'no-scheduler',
    'No scheduler runs that could queue it: "forager scheduler" or "forager up" starts one.',
  );
}

/** What keeps workers from its domain. */
function explainDomain(facts: WaitFacts): WaitsFor | undefined {
  const { domain, domainStatus, blockReason, restsUntil, maintenanceUntil } = facts;
  if (!facts.isActive)
    return wait('domain-inactive', `${domain} is switched off, until somebody activates it.`);
  if (facts.claimedBy !== null) return undefined;
  const because = blockReason === null ? '' : ` (${blockReason})`;
  if (domainStatus === 'blocked' || domainStatus === 'unreachable') {
    return wait(`domain-${domainStatus}`, `${domain} is ${domainStatus}${because}.`, restsUntil);
  }
  if (maintenanceUntil !== null) {
    return wait('domain-maintenance', `${domain} is in its maintenance window.`, maintenanceUntil);
  }
  if (restsUntil !== null) return wait('domain-resting', `${domain} rests${because}.`, restsUntil);
  if (!facts.isInCrawl) return undefined;
  return wait(
    'domain-in-crawl',
    facts.isCrawlRunning === true
      ? `${domain} belongs to a crawl of its own that is running: it is free when that has ended.`
      : `${domain} belongs to a crawl that was stopped: workers take it when it is seeded or given a new task.`,
  );
}

function explainTurn({ hasWorker, claimedBy, aheadCount, domain }: WaitFacts): WaitsFor {
  const ahead =
    aheadCount === 0 ? 'it is the next one' : `${describeCount(aheadCount)} of the domain before it`;
  if (claimedBy !== null) return wait('worker', `The worker ${claimedBy} is at ${domain}: ${ahead}.`);
  if (!hasWorker)
    return wait(
      'no-worker',
      'No worker runs that could take it: "forager worker" or "forager up" starts one.',
    );
  return wait('worker', `It waits for a worker to take up ${domain}: ${ahead}.`);
}

function describeCount(count: number): string {
  if (count === 1) return 'one task';
  return count >= 1000 ? '1,000 tasks or more' : `${count} tasks`;
}

function explainParsing({ isEarly, retryCount, scheduledAt }: WaitFacts): WaitsFor {
  if (isEarly && retryCount > 0) {
    return wait(
      'retry',
      `Parsing failed and is tried again (retry ${retryCount}) when its time has come.`,
      scheduledAt,
    );
  }
  return wait('parser', 'What was fetched is kept; it waits for a parser.');
}
