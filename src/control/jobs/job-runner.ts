/** Does the jobs that were asked for. */
import type { Database } from '../../platform/database.ts';

export interface JobRunner {
  /** A job was submitted in this process: it is looked for at once. */
  wake(): void;
  stop(): Promise<void>;
}

export function startJobRunner(_db: Database): JobRunner {
  return { wake: () => undefined, stop: async () => undefined };
}
