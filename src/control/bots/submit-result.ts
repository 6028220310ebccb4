/**
 * A bot hands in what became of a job. It is done once for each lock: the same again gets the same answer, something
 * else is refused, and what comes after the lock has run out changes nothing, whoever has the job by then.
 *
 * No two wait for each other in a circle: everybody locks domains, then policies, then tasks, then bots, and the queues
 * of bots last (the triggers of a task's move do that). A pull takes the row of its bot first, but waits for nobody
 * after that.
 */

import type { submitResult as contract } from '../../contract/bots.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { exactPrice } from '../../engine/products/exact-price.ts';
import { now } from '../../platform/clock.ts';
import { type Database, prepared } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { cleanData, cleanText } from '../results/clean-content.ts';
import type { HtmlKeeper, KeptHtml } from '../results/keep-html.ts';
import { recordResult } from '../results/record-result.ts';
import { type BotOfKey, botRevoked } from './bot-of-key.ts';
import { checkWanted } from './check-wanted.ts';
import { type HeldJob, lockHeldJob, notHeld, readHeldJob, readPastLock } from './held-job.ts';
import { readJobId, toJobId } from './job-id.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { digestOf, type Submission } from './submission.ts';

const complete = prepared('complete-bot-job', loadSql(import.meta.url, './complete-job.sql'));
const fail = prepared('fail-bot-job', loadSql(import.meta.url, './fail-job.sql'));
const noteNextRun = prepared('note-next-run', loadSql(import.meta.url, './note-next-run.sql'));

const LONGEST_REASON = 1000;

export type Submitted = AnswerOf<typeof contract>['data'];

export interface SubmitParts {
  readonly db: Database;
  /** Undefined: pages are not kept here. */
  readonly htmlKeeper: HtmlKeeper | undefined;
}

/** By the number of the job: however often the same page is sent at once, it is written once. */
const pages = new OneAtATime('pages of this job');

export async function submitResult(parts: SubmitParts, bot: BotOfKey, given: Submission): Promise<Submitted> {
  // Before anything is written: what is refused leaves nothing behind.
  const submission = { ...given, parsed_data: cleanData(given.parsed_data ?? null) };
  const settle = (): Promise<Submitted> => settleJob(parts, bot, submission);
  const id = readJobId(submission.job_id);
  const isWritten = parts.htmlKeeper !== undefined && submission.success && hasHtml(submission);
  return isWritten && id !== undefined ? pages.run(id, settle) : settle();
}

async function settleJob(
  { db, htmlKeeper }: SubmitParts,
  bot: BotOfKey,
  submission: Submission,
): Promise<Submitted> {
  const digest = digestOf(submission);
  const html = await keepHtml(db, htmlKeeper, bot, submission);
  return inTransaction(db, async (tx) => {
    const job = await lockHeldJob(tx, bot, submission);
    if (job === undefined) return answerAgain(tx, bot, submission, digest);
    if (!submission.success) return failJob(tx, bot, job, submission, digest);
    checkWanted(job.wanted, submission);
    // It was not the bot's yet a moment ago.
    if (html === undefined && htmlKeeper !== undefined && hasHtml(submission)) throw notHeld(true);
    return completeJob(tx, bot, job, submission, digest, html);
  });
}

/** Before the transaction: writing a page takes a while. What would be refused anyway is not written. */
async function keepHtml(
  db: Database,
  htmlKeeper: HtmlKeeper | undefined,
  bot: BotOfKey,
  submission: Submission,
): Promise<KeptHtml | undefined> {
  const { raw_html: html, success } = submission;
  if (htmlKeeper === undefined || !success) return undefined;
  if (!hasHtml(submission) || html === null || html === undefined) return undefined;
  const job = await readHeldJob(db, bot, submission);
  if (job === undefined) return undefined;
  checkWanted(job.wanted, submission);
  const httpStatus = submission.http_status ?? null;
  return htmlKeeper.keep({ url: job.url, html, httpStatus, crawledAt: crawledAtOf(submission) });
}

function hasHtml({ raw_html: html }: Submission): boolean {
  return html !== null && html !== undefined && html !== '';
}

/** What is not in the bot's hands (any more): handed in before, too late, or never its own. */
async function answerAgain(
  tx: Transaction,
  bot: BotOfKey,
  submission: Submission,
  digest: Buffer,
): Promise<Submitted> {
  const past = await readPastLock(tx, bot, submission);
  if (past === undefined || past.digest === null || past.isOlder) throw notHeld(past?.wasHeld ?? false);
  if (past.digest.equals(digest)) return past.answer as Submitted;
  throw new ForagerError(
    'already-submitted',
    'Something else was handed in for this job before, and counts.',
    {
      hint: 'pull the next job: what counts is what came first',
    },
  );
}

async function completeJob(
  tx: Transaction,
  bot: BotOfKey,
  job: HeldJob & { readonly lockToken: string },
  submission: Submission,
  digest: Buffer,
  html: KeptHtml | undefined,
): Promise<Submitted> {
  const price = priceOf(submission);
  const currency = submission.currency?.toUpperCase() ?? null;
  const crawledAt = crawledAtOf(submission);
  const { resultId } = await recordResult(tx, {
    ...{ taskId: job.id, domainId: job.domainId, url: job.url, urlHash: job.urlHash },
    ...{ botId: bot.id, lockToken: job.lockToken, price, currency, title: submission.title ?? null },
    ...{ inStock: submission.in_stock ?? null, parsedData: submission.parsed_data ?? null },
    ...{ crawledAt, hasHtml: html !== undefined },
  });
  const answer: Submitted = {
    ...{ result_id: resultId, job_id: toJobId(job.id), status: 'done' },
    ...{ price: price === null ? null : Number(price), currency, policy_next_run: null },
  };
  const place = await html?.place(tx);
  const { rowCount } = await tx.query(complete, [
    ...[job.id, bot.id, bot.botId, job.lockToken],
    ...[...fetchOf(submission), crawledAt],
    ...[place?.segmentId ?? null, place?.offset ?? null, place?.length ?? null],
    ...[digest, JSON.stringify(answer), job.workMs],
  ]);
  if (rowCount === 0) throw botRevoked();
  return withNextRun(tx, job, answer);
}

async function failJob(
  tx: Transaction,
  bot: BotOfKey,
  job: HeldJob & { readonly lockToken: string },
  submission: Submission,
  digest: Buffer,
): Promise<Submitted> {
  const isRetried = job.retryCount < job.maxRetries;
  const retryCount = job.retryCount + (isRetried ? 1 : 0);
  const status = isRetried ? 'pending' : 'failed';
  const answer: Submitted = {
    ...{ job_id: toJobId(job.id), status, retry_count: retryCount, max_retries: job.maxRetries },
    message: isRetried ? 'Job marked for retry' : 'Job failed: no retries are left',
    ...(isRetried ? {} : { policy_next_run: null }),
  };
  const { rowCount } = await tx.query(fail, [
    ...[job.id, bot.id, bot.botId, job.lockToken, status, retryCount, reasonOf(submission)],
    ...[...fetchOf(submission), categoryOf(submission), digest, JSON.stringify(answer), job.workMs],
  ]);
  if (rowCount === 0) throw botRevoked();
  return isRetried ? answer : withNextRun(tx, job, answer);
}

/** The move of the task has set it. */
async function withNextRun(
  tx: Transaction,
  { policyId, lockToken }: { readonly policyId: number | null; readonly lockToken: string },
  answer: Submitted,
): Promise<Submitted> {
  if (policyId === null) return answer;
  const [row] = (await tx.query<{ answer: Submitted }>(noteNextRun, [lockToken, policyId])).rows;
  return row?.answer ?? answer;
}

function priceOf({ price }: Submission): string | null {
  return price === null || price === undefined ? null : (exactPrice(price) ?? null);
}

/** A bot whose clock is ahead has crawled it now. */
function crawledAtOf({ crawled_at: given }: Submission): Date {
  const latest = now();
  const told = given === null || given === undefined ? latest : new Date(given);
  return told < latest ? told : latest;
}

function fetchOf({ http_status: status, response_time_ms: ms, final_url: url }: Submission) {
  return [status ?? null, ms ?? null, url === null || url === undefined ? null : cleanText(url)] as const;
}

/** On one line, with nothing in it that a terminal or a log would take for more than text. */
function reasonOf({ error_msg: message }: Submission): string {
  const line = cleanText(message ?? '')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ')
    .trim();
  return line === '' ? 'The bot gave no reason' : cleanText(line.slice(0, LONGEST_REASON));
}

/** By how far it came, as far as the bot has told. */
function categoryOf({ http_status: status }: Submission): string {
  if (status === null || status === undefined) return 'network';
  return status >= 400 ? 'http' : 'parse';
}
