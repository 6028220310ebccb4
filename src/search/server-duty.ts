/**
 * Keeps a search server up to date: once it answers it is registered, its indexes are built, and whatever changes is
 * told to it. While it is away everything waits in the outbox, and it is asked for again, less and less often.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { takeJob } from '../engine/upkeep/take-job.ts';
import { monotonicMs } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { ForagerError } from '../platform/errors.ts';
import { drainOutbox } from './elastic/drain-outbox.ts';
import { INDEX_KINDS, type IndexKind } from './elastic/indexes.ts';
import { isBuilt, keepVersionsAhead, registerServer } from './elastic/register.ts';
import { hasIndex, reindex } from './elastic/reindex.ts';
import type { SearchTransport } from './elastic/transport.ts';
import { ServerConnection } from './server-connection.ts';
import { serverName } from './server-name.ts';

export interface ServerDutyGround {
  readonly db: Database;
  readonly config: Pick<Config, 'searchUrl' | 'searchPrefix'>;
  readonly warn: (sentence: string, error?: unknown) => void;
  /** Between two rounds, and the longest when it is away. */
  readonly everyMs?: number;
  readonly longestMs?: number;
}

const EVERY_MS = 1000;
const LONGEST_MS = 60_000;
const TURN_MS = 5000;
const TELL_AGAIN_MS = 60_000;

export class ServerDuty {
  readonly #ground: ServerDutyGround;
  readonly #over = new AbortController();
  readonly #building = new Map<IndexKind, Promise<void>>();
  #running: Promise<void> | undefined;
  #toldAtMs = Number.NEGATIVE_INFINITY;

  constructor(ground: ServerDutyGround) {
    this.#ground = ground;
  }

  start(): void {
    const { searchUrl } = this.#ground.config;
    if (searchUrl !== undefined) this.#running ??= this.#run(searchUrl);
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await this.#running;
    await Promise.all(this.#building.values());
  }

  async #run(url: string): Promise<void> {
    const { config, everyMs = EVERY_MS, longestMs = LONGEST_MS } = this.#ground;
    const { signal } = this.#over;
    const connection = new ServerConnection(url, config.searchPrefix);
    let failures = 0;
    while (!signal.aborted) {
      try {
        await this.#round(connection);
        failures = 0;
      } catch (error) {
        failures += 1;
        this.#tell(error);
      }
      const waitMs = Math.min(longestMs, everyMs * 2 ** Math.min(failures, 10));
      await pause(waitMs, undefined, { signal }).catch(() => undefined);
    }
    await connection.close();
  }

  async #round(connection: ServerConnection): Promise<void> {
    const { db, config } = this.#ground;
    if (!(await takeJob(db, 'search-outbox', 1))) return;
    await keepVersionsAhead(db);
    // One that has never answered gets nothing written down for it: that would grow for ever.
    const transport = await connection.open();
    const name = serverName(config);
    await registerServer(db, name);
    const prefix = config.searchPrefix;
    for (const kind of INDEX_KINDS) {
      if ((await isBuilt(db, name, kind)) && (await hasIndex(transport, prefix, kind))) continue;
      this.#build(transport, kind);
      // Nothing to tell it yet, and no index that could be taken for one.
      return;
    }
    const endMs = monotonicMs() + TURN_MS;
    await drainOutbox({ db, transport, prefix }, () => this.#over.signal.aborted || monotonicMs() >= endMs);
  }

  /** Beside everything else: it may take hours. */
  #build(transport: SearchTransport, kind: IndexKind): void {
    if (this.#building.has(kind)) return;
    const { db, config } = this.#ground;
    const parts = { db, transport, prefix: config.searchPrefix };
    const building = reindex(parts, kind, undefined, this.#over.signal)
      .then(() => undefined)
      .catch((error: unknown) => this.#tell(error))
      .finally(() => this.#building.delete(kind));
    this.#building.set(kind, building);
  }

  #tell(error: unknown): void {
    if (this.#over.signal.aborted || monotonicMs() - this.#toldAtMs < TELL_AGAIN_MS) return;
    // Somebody else builds it.
    if (error instanceof ForagerError && error.code === 'search-reindexing') return;
    this.#toldAtMs = monotonicMs();
    this.#ground.warn('the search server cannot be told of changes; they are kept for it', error);
  }
}
