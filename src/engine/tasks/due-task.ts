/** An explicit order for a URL, in the hands of the worker that holds its domain. */
export interface DueTask {
  readonly id: number;
  /** As it was ordered; redirects may have led elsewhere since. */
  readonly url: string;
  readonly retryCount: number;
  readonly maxRetries: number;
  /** The pages its page names become tasks too, that many steps deep, so many of each page. */
  readonly followDepth: number;
  readonly followLimit: number;
}
