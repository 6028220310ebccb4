/** The three requests of a bot, and a loop that makes them for it. */
import { BotError } from './bot-error.ts';
import { type ExchangeSettings, exchange } from './exchange.ts';
import type { Extended, JobLock, JobResult, Pulled, Submitted } from './shapes.ts';
import { type Handler, type WorkOptions, type WorkSummary, work } from './work.ts';

export interface BotClientOptions {
  /** Where Forager answers, such as `https://forager.example.com`. */
  readonly baseUrl: string | URL;
  /** The name the bot is registered under. */
  readonly botId: string;
  /** Its key. */
  readonly apiKey: string;
  /** How often a request is sent at most when it fails in a way that may pass; 8 if left out. */
  readonly attempts?: number;
  /** How long an answer may take, besides the time a pull waits for work; 30,000 if left out. */
  readonly timeoutMs?: number;
  /** Another fetch than Node's own. */
  readonly fetch?: typeof fetch;
}

export interface PullOptions {
  /** 1 to 100; 10 if left out. */
  readonly maxJobs?: number | undefined;
  /** Only jobs of this domain. */
  readonly domain?: string | undefined;
  /** How long to wait for work, 0 to 30; 0 if left out. */
  readonly waitSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const LONGEST_REASON = 4000;

export class BotClient {
  readonly botId: string;
  readonly #settings: ExchangeSettings;

  constructor(options: BotClientOptions) {
    const { baseUrl, botId, apiKey, attempts = 8, timeoutMs = 30_000 } = options;
    if (!URL.canParse(String(baseUrl))) throw new BotError('bad-settings', `baseUrl is no URL: ${baseUrl}`);
    if (botId === '' || apiKey === '') throw new BotError('bad-settings', 'botId and apiKey must be given.');
    this.botId = botId;
    this.#settings = {
      ...{ baseUrl: new URL(baseUrl), apiKey, attempts, timeoutMs, longestPauseMs: 30_000 },
      // Looked up at each call: tests and tracing put another in its place.
      fetch: options.fetch ?? ((...call) => fetch(...call)),
    };
  }

  /** Takes jobs. Each is this bot's alone until its `locked_until`. */
  pull({ maxJobs, domain, waitSeconds, signal }: PullOptions = {}): Promise<Pulled> {
    const body = { bot_id: this.botId, max_jobs: maxJobs, domain, wait_seconds: waitSeconds };
    return exchange(this.#settings, '/api/crawl/pull', body, { signal, extraMs: (waitSeconds ?? 0) * 1000 });
  }

  /** Hands in what was found. Handing in the same again is harmless: it gets the same answer. */
  submitSuccess(job: JobLock, result: JobResult): Promise<Submitted> {
    return this.#submit(job, { ...result, success: true });
  }

  /** Hands in that it did not work. It is tried again while there are retries left, by this bot or another. */
  submitFailure(job: JobLock, why: string): Promise<Submitted> {
    // Cut or thrown that way: halves of characters, which are no text.
    const text = why.slice(0, LONGEST_REASON).replace(/\p{Surrogate}/gu, '\uFFFD');
    return this.#submit(job, { success: false, error_msg: text });
  }

  /** Keeps the job: its lock ends so many seconds from now. */
  extend(job: JobLock, seconds?: number, signal?: AbortSignal): Promise<Extended> {
    const body = { ...this.#lockOf(job), extend_seconds: seconds };
    return exchange(this.#settings, '/api/crawl/extend', body, { signal });
  }

  /**
   * Pulls jobs, lets the handler do them and hands in what it returns, until `signal` says stop or the server refuses
   * the bot. What is under way then is finished first.
   */
  work(handler: Handler, options: WorkOptions = {}): Promise<WorkSummary> {
    return work(this, handler, options);
  }

  #submit(job: JobLock, what: JobResult & { success: boolean; error_msg?: string }): Promise<Submitted> {
    return exchange(this.#settings, '/api/crawl/submit', { ...this.#lockOf(job), ...what });
  }

  #lockOf({ job_id, lock_token }: JobLock): object {
    return { bot_id: this.botId, job_id, lock_token };
  }
}
