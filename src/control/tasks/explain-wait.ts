/** Why a task does not run now, in one sentence: what decides comes first. */
import type { TaskStatus, WAIT_CODES } from '../../contract/task-shapes.ts';
import { BATCH_PAUSED } from '../batches/task-batch.ts';
import type { DomainStatus } from '../domains/list-domains.ts';

export interface WaitFacts {
  readonly id: number;
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
  readonly batchId: number | null;
  readonly batchName: string | null;
  readonly isBatchPaused: boolean;
  readonly domain: string;
  readonly isActive: boolean;
  readonly domainStatus: DomainStatus;
  readonly blockReason: string | null;
  /** It rests because no proxy can be used for it just now. */
  readonly isWithoutProxy: boolean;
  readonly restsUntil: Date | null;
  readonly maintenanceUntil: Date | null;
  readonly claimedBy: string | null;
  readonly isInCrawl: boolean;
  readonly isCrawlRunning: boolean | null;
  /** Of its domain, counted up to a thousand. */
  readonly aheadCount: number;
  readonly hasScheduler: boolean;
  /** One that crawls. */
  readonly hasWorker: boolean;
  /** Any that parses, whatever else it does. */
  readonly hasParser: boolean;
  /** Of its domain, jobs that are with bots. */
  readonly lockedCount: number;
  /** How many may be at once. */
  readonly mostLocked: number;
  /** Bots that may work on its domain. */
  readonly botsCount: number;
  /** Of those, whether any has asked for work lately. */
  readonly hasBot: boolean;
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

function explainPause({ id, reason, movedBy, batchId, batchName, isBatchPaused }: WaitFacts): WaitsFor {
  if (reason === BATCH_PAUSED && isBatchPaused) {
    return wait(
      'batch-paused',
      `Its batch ${batchName} is paused, until somebody resumes it: "forager batch resume ${batchId}".`,
    );
  }
  return wait(
    'paused',
    `It was paused by ${movedBy}, until somebody resumes it: "forager task resume ${id}".`,
  );
}

const START_SCHEDULER = '"forager scheduler" or "forager up" starts one';
const START_WORKER = '"forager worker" or "forager up" starts one';

function explainPending(facts: WaitFacts): WaitsFor {
  const { isWaiting, isEarly, scheduledAt, retryCount, executor } = facts;
  if (isWaiting) return explainParent(facts);
  // A bot pulls by itself what is due; all the rest is queued by a scheduler, when its time has come.
  const isAlone = executor === 'forager' && !facts.hasScheduler;
  const andThen = isAlone ? ` No scheduler runs that could queue it then: ${START_SCHEDULER}.` : '';
  if (isEarly && retryCount > 0) {
    return wait(
      'retry',
      `It failed and is tried again (retry ${retryCount}) when its time has come.${andThen}`,
      scheduledAt,
    );
  }
  if (isEarly) return wait('scheduled', `Its time has not come.${andThen}`, scheduledAt);
  if (executor === 'bot') return explainDomainForBots(facts) ?? explainBots(facts);
  if (isAlone) return wait('no-scheduler', `No scheduler runs that could queue it: ${START_SCHEDULER}.`);
  return wait('scheduler', 'Its time has come: the scheduler queues it next.');
}

/** A site that refuses our own crawler, or has no proxy for it, may be open to a bot: what a person decided is not. */
function explainDomainForBots(facts: WaitFacts): WaitsFor | undefined {
  const { domain, domainStatus, blockReason, restsUntil, maintenanceUntil } = facts;
  if (!facts.isActive) return switchedOff(domain);
  if (maintenanceUntil !== null) return inMaintenance(domain, maintenanceUntil);
  const hasAskedForRest = domainStatus === 'pending' || domainStatus === 'active';
  if (restsUntil === null || !hasAskedForRest || facts.isWithoutProxy) return undefined;
  return resting(domain, blockReason, restsUntil);
}

function explainBots({ domain, lockedCount, mostLocked, botsCount, hasBot }: WaitFacts): WaitsFor {
  if (botsCount === 0) {
    return wait(
      'no-bot',
      `No bot is registered that may work on ${domain}: "forager bot add" registers one, "forager bot list" shows all.`,
    );
  }
  if (lockedCount >= mostLocked) {
    return wait(
      'bot-locks',
      `As many jobs of ${domain} are with bots as may be at once (${mostLocked}): it is pulled when one of them is handed in or runs out.`,
    );
  }
  if (hasBot) return wait('bot', 'It waits for a bot to pull it.');
  return wait(
    'bot',
    `It waits for a bot to pull it: none that may work on ${domain} has asked for work in the last ten minutes.`,
  );
}

function switchedOff(domain: string): WaitsFor {
  return wait(
    'domain-inactive',
    `${domain} is switched off, until somebody resumes it: "forager domain resume ${domain}".`,
  );
}

function inMaintenance(domain: string, until: Date): WaitsFor {
  return wait('domain-maintenance', `${domain} is in its maintenance window.`, until);
}

function resting(domain: string, blockReason: string | null, until: Date): WaitsFor {
  return wait('domain-resting', `${domain} rests${blockReason === null ? '' : ` (${blockReason})`}.`, until);
}

/** Of a parent that is not on its way, what would bring it there. */
function explainParent({ id, parentTaskId, parentStatus }: WaitFacts): WaitsFor {
  const what = `It waits for task ${parentTaskId} to be completed, which is ${parentStatus}`;
  if (parentStatus === 'paused') {
    return wait('parent', `${what}: "forager task resume ${parentTaskId}" lets that one go on.`);
  }
  if (parentStatus === 'failed' || parentStatus === 'cancelled' || parentStatus === 'expired') {
    return wait(
      'parent',
      `${what}: "forager task restart ${parentTaskId}" starts that one once more, ` +
        `"forager task set ${id} --no-parent" lets this one go without it.`,
    );
  }
  return wait('parent', `${what}.`);
}

/** What keeps workers from its domain. */
function explainDomain(facts: WaitFacts): WaitsFor | undefined {
  const { domain, domainStatus, blockReason, restsUntil, maintenanceUntil } = facts;
  if (!facts.isActive) return switchedOff(domain);
  if (facts.claimedBy !== null) return undefined;
  const because = blockReason === null ? '' : ` (${blockReason})`;
  if (domainStatus === 'blocked' || domainStatus === 'unreachable') {
    return wait(`domain-${domainStatus}`, `${domain} is ${domainStatus}${because}.`, restsUntil);
  }
  if (maintenanceUntil !== null) return inMaintenance(domain, maintenanceUntil);
  if (restsUntil !== null && facts.isWithoutProxy) {
    return wait(
      'domain-no-proxy',
      `${domain} waits for a proxy${because}; whether there is one is looked at again then, or as soon as somebody adds, assigns or enables one. "forager proxy pool ${domain}" shows its proxies.`,
      restsUntil,
    );
  }
  if (restsUntil !== null) return resting(domain, blockReason, restsUntil);
  if (!facts.isInCrawl) return undefined;
  return wait(
    'domain-in-crawl',
    facts.isCrawlRunning === true
      ? `${domain} belongs to a crawl of its own that is running: it is free when that has ended.`
      : `${domain} belongs to a crawl that was stopped: the scheduler takes it out of there in a moment.`,
  );
}

function explainTurn({ hasWorker, hasParser, claimedBy, aheadCount, domain }: WaitFacts): WaitsFor {
  const ahead =
    aheadCount === 0 ? 'it is the next one' : `${describeCount(aheadCount)} of the domain before it`;
  if (claimedBy !== null) return wait('worker', `The worker ${claimedBy} is at ${domain}: ${ahead}.`);
  if (!hasWorker) {
    return wait(
      'no-worker',
      hasParser
        ? `No worker runs that crawls, only such as parse: ${START_WORKER}.`
        : `No worker runs that could take it: ${START_WORKER}.`,
    );
  }
  return wait('worker', `It waits for a worker to take up ${domain}: ${ahead}.`);
}

function describeCount(count: number): string {
  if (count === 1) return 'one task';
  return count >= 1000 ? '1,000 tasks or more' : `${count} tasks`;
}

function explainParsing(facts: WaitFacts): WaitsFor {
  const { status, isEarly, retryCount, scheduledAt, hasScheduler, hasWorker, hasParser } = facts;
  if (status === 'downloaded' && !hasScheduler) {
    return wait('no-scheduler', `No scheduler runs that could leave it to a parser: ${START_SCHEDULER}.`);
  }
  const START_PARSER = '"forager worker --parse-only" starts one that does nothing else';
  const nobody = hasWorker
    ? `No worker runs that parses, only such as crawl: ${START_PARSER}.`
    : `No worker runs that could parse it: ${START_WORKER}, ${START_PARSER}.`;
  if (isEarly && retryCount > 0) {
    return wait(
      'retry',
      `Parsing failed and is tried again (retry ${retryCount}) when its time has come.${hasParser ? '' : ` ${nobody}`}`,
      scheduledAt,
    );
  }
  if (!hasParser) return wait('no-parser', `What was fetched is kept. ${nobody}`);
  return wait('parser', 'What was fetched is kept; it waits for a parser.');
}
