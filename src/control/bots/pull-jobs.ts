/**
 * A bot takes jobs. One transaction: the bot's own row first (its limits hold exactly), then the queues of a few
 * domains that nobody else is at, then their jobs. A pull waits for nobody but another pull of the same bot: whatever
 * somebody else has locked is passed over. So it may hold the row of its bot, and those of queues, in whatever order
 * others take them.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import type { botJob } from '../../contract/bots.ts';
import { canonicalDomain, registrableDomain } from '../../engine/frontier/canonical-domain.ts';
import { type Database, prepared } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { findKnownDomain } from '../domains/find-domain.ts';
import { type BotOfKey, botRevoked, mayWorkOn } from './bot-of-key.ts';
import { hourIsFull, tooManyHeld } from './bot-quota.ts';
import { toJobId } from './job-id.ts';

const takeTurns = prepared('take-bot-turns', loadSql(import.meta.url, './take-turns.sql'));
const takeTurnsOf = prepared('take-bot-turns-of', loadSql(import.meta.url, './take-turns-of.sql'));
const lockJobs = prepared('lock-bot-jobs', loadSql(import.meta.url, './lock-jobs.sql'));
const readWait = prepared('read-bot-wait', loadSql(import.meta.url, './read-wait.sql'));
const findAllowed = prepared('find-bot-domains', loadSql(import.meta.url, './find-allowed-domains.sql'));

/** A domain gives a few jobs at a time, so that fewer domains than jobs are enough; if not, more are looked at. */
const JOBS_PER_TURN = 2;
const MOST_TURNS = 200;
const MOST_PASSES = 4;
/** Somebody else is at every domain that has jobs: for a moment. */
const MOST_ATTEMPTS = 4;
const ATTEMPT_PAUSE_MS = 15;
const LONGEST_RETRY_SECONDS = 60;
/** Nothing is known to come. */
const IDLE_RETRY_SECONDS = 10;
/** There are jobs that others keep from it, or more domains than were looked at: something may come sooner. */
const CROWDED_RETRY_SECONDS = 5;

export interface WantedJobs {
  readonly maxJobs: number;
  readonly domain?: string | null | undefined;
}

export interface PullRules {
  /** Jobs of one domain that may be under way at once, where it says nothing itself. */
  readonly maxPerDomain: number;
  /** How long a lock lasts where the policy of the job says nothing. */
  readonly lockSeconds: number;
  /** Asked for by the bot; false: looked again for one that waits. */
  readonly isCounted: boolean;
}

export interface Job extends Omit<z.infer<typeof botJob>, 'locked_until'> {
  readonly locked_until: Date;
}

export interface Pulled {
  readonly jobs: readonly Job[];
  readonly skipped: number;
  readonly retryAfterSeconds: number | null;
}

interface Turns {
  readonly maxLocks: number;
  readonly maxJobsPerHour: number | null;
  readonly jobsThisHour: number;
  readonly hourEndsSeconds: number;
  readonly domainIds: readonly string[];
}

type JobRow = { readonly freeLocks: number } & (
  | { readonly id: null }
  | {
      readonly id: number;
      readonly url: string;
      readonly domain: string;
      readonly priority: number;
      readonly maxRetries: number;
      readonly retryCount: number;
      readonly seconds: number;
      readonly lockedUntil: Date;
      readonly lockToken: string;
      readonly wanted: Job['wanted'];
      readonly userAgent: string | null;
      readonly crawlDelaySeconds: number | null;
    }
);

export async function pullJobs(
  db: Database,
  bot: BotOfKey,
  wanted: WantedJobs,
  rules: PullRules,
): Promise<Pulled> {
  const domainIds = await findDomainIds(db, bot, wanted.domain);
  for (let attempt = 1; ; attempt += 1) {
    const isCounted = rules.isCounted && attempt === 1;
    const jobs = await inTransaction(db, (tx) =>
      pullWithin(tx, bot, wanted.maxJobs, domainIds, { ...rules, isCounted }),
    );
    if (jobs.length === wanted.maxJobs) return { jobs, skipped: 0, retryAfterSeconds: null };
    const [wait] = (await db.query<Wait>(readWait, [domainIds ?? null])).rows;
    const { skipped = 0, isMore = false, waitSeconds = null } = wait ?? {};
    if (jobs.length > 0) return { jobs, skipped, retryAfterSeconds: null };
    // There is something to be had, or it has just come: whoever was in the way is gone in a moment.
    if (waitSeconds !== null && waitSeconds <= 0 && attempt < MOST_ATTEMPTS) {
      await pause(ATTEMPT_PAUSE_MS * attempt * (0.5 + Math.random()));
      continue;
    }
    const longest = isMore || skipped > 0 ? CROWDED_RETRY_SECONDS : LONGEST_RETRY_SECONDS;
    const seconds = Math.max(1, Math.min(longest, waitSeconds ?? IDLE_RETRY_SECONDS));
    return { jobs, skipped, retryAfterSeconds: seconds };
  }
}

interface Wait {
  readonly skipped: number;
  readonly isMore: boolean;
  readonly waitSeconds: number | null;
}

async function pullWithin(
  tx: Transaction,
  bot: BotOfKey,
  maxJobs: number,
  domainIds: string | undefined,
  { maxPerDomain, lockSeconds, isCounted }: PullRules,
): Promise<Job[]> {
  const jobs: Job[] = [];
  let limit = Math.ceil(maxJobs / JOBS_PER_TURN);
  let most = maxJobs;
  for (let pass = 1; pass <= MOST_PASSES; pass += 1) {
    const values = [bot.id, isCounted && pass === 1 ? 1 : 0, limit];
    const [turns] = (
      await (domainIds === undefined
        ? tx.query<Turns>(takeTurns, values)
        : tx.query<Turns>(takeTurnsOf, [...values, domainIds]))
    ).rows;
    if (turns === undefined) throw botRevoked();
    const { maxJobsPerHour, jobsThisHour, maxLocks } = turns;
    if (pass === 1 && maxJobsPerHour !== null) {
      most = Math.min(most, maxJobsPerHour - jobsThisHour);
      if (most <= 0) throw hourIsFull(maxJobsPerHour, turns.hourEndsSeconds);
    }
    if (turns.domainIds.length === 0) break;
    const { rows } = await tx.query<JobRow>(lockJobs, [
      ...[bot.id, bot.botId, textArray(turns.domainIds), most - jobs.length],
      ...[maxPerDomain, maxLocks, lockSeconds],
    ]);
    for (const row of rows) {
      if (row.id !== null) jobs.push(showJob(row));
      else if (row.freeLocks <= 0 && jobs.length === 0) throw tooManyHeld(maxLocks);
    }
    if (jobs.length >= most || turns.domainIds.length < limit) break;
    limit = Math.min(MOST_TURNS, limit * 4);
  }
  return jobs;
}

function showJob(row: Extract<JobRow, { id: number }>): Job {
  return {
    job_id: toJobId(row.id),
    task_id: row.id,
    url: row.url,
    domain: row.domain,
    priority: row.priority,
    max_retries: row.maxRetries,
    retry_count: row.retryCount,
    timeout_seconds: row.seconds,
    locked_until: row.lockedUntil,
    lock_token: row.lockToken,
    wanted: row.wanted,
    user_agent: row.userAgent,
    crawl_delay_seconds: row.crawlDelaySeconds,
  };
}

/** The domains that are meant, as an array for the database; undefined: all. */
async function findDomainIds(
  db: Database,
  bot: BotOfKey,
  name: string | null | undefined,
): Promise<string | undefined> {
  if (name === null || name === undefined) {
    if (bot.domains === null) return undefined;
    const values = [textArray(bot.domains.map(registrableDomain)), textArray(bot.domains)];
    return numberArray((await db.query<{ id: number }>(findAllowed, values)).rows.map(({ id }) => id));
  }
  const domain = canonicalDomain(name.trim());
  if (domain === undefined) {
    throw new ForagerError('invalid', 'body.domain: must be the name of a domain, such as example.com');
  }
  if (!mayWorkOn(bot, domain)) {
    throw new ForagerError('bot-domain-refused', `The bot may not work on ${domain}.`, {
      hint: 'leave out "domain" to get jobs of those it may work on',
    });
  }
  const found = await findKnownDomain(db, domain);
  return numberArray(found === undefined ? [] : [found.id]);
}
