/**
 * Does the jobs that were asked for. Every process that serves the API has a runner; each job is done by one of them,
 * and taken over by another when its process dies. A runner that is stopped leaves its jobs for somebody else.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../platform/database.ts';
import type { JobKind } from './job-kind.ts';
import { jobKinds } from './job-kinds.ts';
import { JobLease } from './job-lease.ts';
import { runJob } from './run-job.ts';

/** A long one does not hold up a short one; the database has other work besides. */
const MOST_AT_ONCE = 2;
const LOOK_MS = 1000;
/** For the portion that is under way. Whoever takes longer is taken over when its lease ends. */
const STOP_WAIT_MS = 10_000;

export interface JobRunner {
  /** A job was submitted in this process: it is looked for at once. */
  wake(): void;
  stop(): Promise<void>;
}

/** `kinds` is what it knows how to do: all there are, unless told otherwise. */
export function startJobRunner(db: Database, kinds?: readonly JobKind[]): JobRunner {
  const runner = new Runner(db, kinds ?? jobKinds());
  return { wake: () => runner.look(), stop: () => runner.stop() };
}

class Runner {
  readonly #db: Database;
  readonly #kinds: ReadonlyMap<string, JobKind>;
  readonly #running = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;
  #isWoken = false;
  #isStopping = false;

  constructor(db: Database, kinds: readonly JobKind[]) {
    this.#db = db;
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.#timer = setInterval(() => this.look(), LOOK_MS);
    this.#timer.unref();
  }

  /** One look at a time; a call during a look makes another one follow, since the first may have come too early. */
  look(): void {
    this.#isWoken = true;
    if (this.#isStopping || this.#looking !== undefined) return;
    this.#looking = this.#lookOn().finally(() => {
      this.#looking = undefined;
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    await this.#looking;
    if (this.#running.size === 0) return;
    const enough = new AbortController();
    await Promise.race([
      Promise.all(this.#running),
      pause(STOP_WAIT_MS, undefined, { signal: enough.signal }).catch(() => undefined),
    ]);
    enough.abort();
  }

  async #lookOn(): Promise<void> {
    while (this.#isWoken) {
      this.#isWoken = false;
      // A database that is away is asked again at the next look.
      while (
        !this.#isStopping &&
        this.#running.size < MOST_AT_ONCE &&
        (await this.#begin().catch(() => false))
      );
    }
  }

  /** Begins the next job; false when there is none. */
  async #begin(): Promise<boolean> {
    const lease = await JobLease.claim(this.#db, [...this.#kinds.keys()]);
    const kind = this.#kinds.get(lease?.job.kind ?? '');
    if (lease === undefined || kind === undefined) return false;
    const run = runJob(this.#db, lease, kind, () => this.#isStopping)
      // Its last word could not be written: the job is taken over when the lease ends.
      .catch(() => undefined)
      .finally(() => {
        this.#running.delete(run);
        this.look();
      });
    this.#running.add(run);
    return true;
  }
}
