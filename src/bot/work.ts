/**
 * The loop of a bot. It asks for as many jobs as it has hands free, so that none waits here for its turn while its
 * lock runs; each job's lock is kept alive while its handler runs.
 */
import { setTimeout as waitMs } from 'node:timers/promises';
import { monotonicMs } from '../platform/clock.ts';
import type { BotClient } from './bot-client.ts';
import { BotError } from './bot-error.ts';
import { keepLock } from './keep-lock.ts';
import type { BotJob, JobResult, Submitted } from './shapes.ts';

/** Returns what was found; whatever it throws is handed in as a failure. */
export type Handler = (job: BotJob, context: JobContext) => Promise<JobResult> | JobResult;

export interface JobContext {
  /** Ends when the job is lost to this bot: go no further with it. */
  readonly signal: AbortSignal;
}

export interface WorkOptions {
  /** Jobs at the same time, 1 to 100; 1 if left out. */
  readonly concurrency?: number | undefined;
  readonly domain?: string | undefined;
  /** How long a pull waits for work, 0 to 30; 20 if left out. */
  readonly waitSeconds?: number | undefined;
  /** Stop: take nothing more, finish what is under way. What came in that moment goes back, at the cost of a retry. */
  readonly signal?: AbortSignal | undefined;
  /** Whatever went wrong, with the job if it was about one; printed if left out. What it throws ends the work. */
  readonly onError?: ((error: unknown, job: BotJob | undefined) => void) | undefined;
}

/** How many jobs came to which end. Lost: somebody else has them, or they are over. */
export interface WorkSummary {
  done: number;
  retried: number;
  failed: number;
  lost: number;
}

const STATUS_COUNTS = { done: 'done', pending: 'retried', failed: 'failed' } as const;
const MOST_HANDS = 100;
const TROUBLE_PAUSE_SECONDS = 5;

export async function work(client: BotClient, handler: Handler, options: WorkOptions): Promise<WorkSummary> {
  const { concurrency = 1, domain, waitSeconds = 20, onError = printError } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MOST_HANDS) {
    throw new BotError('bad-settings', `concurrency must be a whole number from 1 to ${MOST_HANDS}.`);
  }
  const summary: WorkSummary = { done: 0, retried: 0, failed: 0, lost: 0 };
  const underWay = new Set<Promise<void>>();
  const ending = new AbortController();
  const stop =
    options.signal === undefined ? ending.signal : AbortSignal.any([options.signal, ending.signal]);
  const fatal: unknown[] = [];
  const end = (error: unknown): void => {
    fatal.push(error);
    ending.abort();
  };
  const tell = (error: unknown, job: BotJob | undefined): void => {
    try {
      // The bot itself is refused: the work ends with that, and it is told once.
      if (error instanceof BotError && error.isBotRefused) throw error;
      onError(error, job);
    } catch (thrown) {
      end(thrown);
    }
  };

  while (!stop.aborted) {
    if (underWay.size >= concurrency) {
      await Promise.race(underWay);
      continue;
    }
    const askedAtMs = monotonicMs();
    let pauseSeconds: number | null;
    try {
      const free = concurrency - underWay.size;
      const pulled = await client.pull({ maxJobs: free, domain, waitSeconds, signal: stop });
      // Who has waited at the server asks again at once; who was sent away sooner comes back when told to.
      const hasWaited = waitSeconds > 0 && monotonicMs() - askedAtMs >= waitSeconds * 900;
      pauseSeconds = pulled.jobs.length > 0 || hasWaited ? 0 : pulled.retry_after_seconds;
      for (const job of pulled.jobs) {
        const mayGoBack = stop.aborted && job.retry_count < job.max_retries;
        const doing = (mayGoBack ? giveBack(job) : doJob(job, askedAtMs))
          .then((how) => {
            summary[how] += 1;
          })
          .finally(() => underWay.delete(doing));
        underWay.add(doing);
      }
    } catch (error) {
      if (stop.aborted) break;
      if (!(error instanceof BotError && error.isTransient)) {
        end(error);
        break;
      }
      if (error.status !== 429) tell(error, undefined);
      pauseSeconds = error.retryAfterSeconds ?? TROUBLE_PAUSE_SECONDS;
    }
    if (pauseSeconds === null || pauseSeconds <= 0) continue;
    // Whoever becomes free meanwhile may find work before that.
    const rest = new AbortController();
    const signal = AbortSignal.any([stop, rest.signal]);
    const pause = waitMs(pauseSeconds * 1000, undefined, { signal }).catch(() => undefined);
    await Promise.race([pause, ...underWay]);
    rest.abort();
  }
  await Promise.all(underWay);
  if (fatal.length > 0) throw fatal[0];
  return summary;

  /** Pulled in the moment of the stop: others can have it at once. Not where it costs the job its last attempt. */
  async function giveBack(job: BotJob): Promise<keyof WorkSummary> {
    try {
      const { status } = await client.submitFailure(job, 'the bot was stopped before it began');
      return STATUS_COUNTS[status];
    } catch (error) {
      tell(error, job);
      return 'lost';
    }
  }

  async function doJob(job: BotJob, pulledAtMs: number): Promise<keyof WorkSummary> {
    let isHandedIn = false;
    const lock = keepLock(client, job, pulledAtMs, (error) => {
      // Once it is handed in the lock is over, and that it cannot be kept is no news.
      if (!isHandedIn) tell(error, job);
    });
    const submit = async (): Promise<Submitted> => {
      let result: JobResult;
      try {
        result = await handler(job, { signal: lock.signal });
      } catch (error) {
        lock.signal.throwIfAborted();
        tell(error, job);
        isHandedIn = true;
        return client.submitFailure(job, sentenceOf(error));
      }
      isHandedIn = true;
      try {
        // Also where the lock seems lost: the server knows, and its number keeps it from doing harm.
        return await client.submitSuccess(job, result);
      } catch (error) {
        if (!(error instanceof BotError && error.isResultRefused)) throw error;
        // Said at once, instead of keeping the job until its lock runs out.
        tell(error, job);
        return client.submitFailure(job, `the result was refused: ${sentenceOf(error)}`);
      }
    };
    try {
      return STATUS_COUNTS[(await submit()).status];
    } catch (error) {
      // That the lock is lost was told when it was noticed.
      if (error !== lock.signal.reason) tell(error, job);
      return 'lost';
    } finally {
      lock.release();
    }
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function printError(error: unknown, job: BotJob | undefined): void {
  // What the server has said needs no stack: it tells nothing of where the defect is.
  const what = error instanceof BotError ? `${error.code}: ${error.message}` : error;
  console.error(job === undefined ? 'bot:' : `bot: ${job.url}:`, what);
}
