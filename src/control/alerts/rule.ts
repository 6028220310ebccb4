/** A rule: what it looks at, and what it has found wrong. */
import type { Database } from '../../platform/database.ts';

export type Severity = 'warning' | 'critical';

export interface Finding {
  /** What it is about, where there may be several of a kind at once; else empty. */
  readonly subject: string;
  readonly message: string;
  /** Where that of the rule does not fit. */
  readonly hint?: string;
}

export interface AlertGround {
  readonly db: Database;
  /** Where the embedded database and the page bodies are; undefined: the database is elsewhere. */
  readonly dataDir: string | undefined;
}

export interface AlertRule {
  readonly code: string;
  readonly severity: Severity;
  /** What to do about it. */
  readonly hint: string;
  /** What is wrong at the moment. Undefined: it cannot be told from here, and what was found before stands. */
  find(ground: AlertGround): Promise<readonly Finding[] | undefined>;
}
