/**
 * What is said and heard, as it goes over the wire: the shapes of src/contract/bots.ts, written out so that a bot needs
 * nothing but this. A test holds the two together.
 */

/** What a success must bring: a price with its currency, the page itself, data, or anything. */
export type Wanted = 'price' | 'page' | 'data' | 'any';

export interface BotJob {
  job_id: string;
  /** The same job, as the tasks of the API are numbered. */
  task_id: number;
  url: string;
  domain: string;
  /** 1 is the most urgent. */
  priority: number;
  max_retries: number;
  retry_count: number;
  /** How long the lock lasts. */
  timeout_seconds: number;
  locked_until: string;
  /** The number of the lock: what is handed in under an older one is refused. */
  lock_token: string;
  wanted: Wanted;
  /** What the site is to be told, where somebody has decided that. */
  user_agent: string | null;
  /** Pause between two requests to this domain. */
  crawl_delay_seconds: number | null;
}

export interface Pulled {
  jobs: BotJob[];
  count: number;
  /** Jobs that wait and cannot be had now. */
  skipped: number;
  /** When to ask again; null: at once. */
  retry_after_seconds: number | null;
}

/** What was found. A job that wants a price needs `price` and `currency`. */
export interface JobResult {
  /** As text it is exact to the last digit. */
  price?: number | string | null | undefined;
  /** Three letters, such as USD. */
  currency?: string | null | undefined;
  title?: string | null | undefined;
  in_stock?: boolean | null | undefined;
  /** Whatever else was found. */
  parsed_data?: Record<string, unknown> | null | undefined;
  /** The page: it is kept, and can be parsed again. */
  raw_html?: string | null | undefined;
  http_status?: number | null | undefined;
  final_url?: string | null | undefined;
  crawled_at?: string | null | undefined;
  response_time_ms?: number | null | undefined;
}

export interface Submitted {
  job_id: string;
  /** done: the result is stored; pending: it failed and is tried again; failed: it failed for good. */
  status: 'done' | 'pending' | 'failed';
  result_id?: string | undefined;
  price?: number | null | undefined;
  currency?: string | null | undefined;
  retry_count?: number | undefined;
  max_retries?: number | undefined;
  message?: string | undefined;
  policy_next_run?: string | null | undefined;
}

export interface Extended {
  job_id: string;
  lock_token: string;
  locked_until: string;
}

/** What is needed of a job to hand it in, or to keep it. */
export type JobLock = Pick<BotJob, 'job_id' | 'lock_token'>;
