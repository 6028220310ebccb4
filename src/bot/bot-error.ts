/** Why something could not be done: the server's own words where it has answered, ours where it has not. */
export interface BotErrorFacts {
  readonly status?: number | undefined;
  readonly hint?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly fields?: readonly { readonly path: string; readonly message: string }[] | undefined;
  readonly cause?: unknown;
}

export class BotError extends Error {
  /** As the guide lists them, such as `lock-expired`; `unreachable` and `bad-answer` are the client's own. */
  readonly code: string;
  /** Of the answer; undefined: there was none. */
  readonly status: number | undefined;
  readonly hint: string | undefined;
  /** When to try again, where the server has said so. */
  readonly retryAfterSeconds: number | undefined;
  /** What is wrong where, of a request that was not understood. */
  readonly fields: readonly { readonly path: string; readonly message: string }[];

  constructor(code: string, message: string, facts: BotErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'BotError';
    this.code = code;
    this.status = facts.status;
    this.hint = facts.hint;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.fields = facts.fields ?? [];
  }

  /** The same request may succeed later. */
  get isTransient(): boolean {
    if (this.status === undefined) return this.code === 'unreachable';
    return this.status === 408 || this.status === 429 || this.status >= 500;
  }

  /** The job is no longer this bot's: whatever it finds out now is of no use. */
  get isLockLost(): boolean {
    return ['lock-expired', 'not-assigned', 'already-submitted'].includes(this.code);
  }

  /** What was handed in cannot be taken as it is; the job is still this bot's. */
  get isResultRefused(): boolean {
    return this.status === 400 || this.status === 413;
  }

  /** Its key or its name is not accepted: so it will be with every other request. */
  get isBotRefused(): boolean {
    return this.status === 401 || this.status === 403;
  }
}
