/** Beside every scheduler: words and texts become searchable, and a search server is told of what has changed. */
import { setTimeout as pause } from 'node:timers/promises';
import { warcDirectory } from '../control/pages/warc-directory.ts';
import { takeJob } from '../engine/upkeep/take-job.ts';
import { monotonicMs, now } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { speakLanguages } from './languages/speak-languages.ts';
import { indexPages } from './pages/index-pages.ts';
import { noteNewWords } from './words/note-words.ts';

export interface SearchDutyGround {
  readonly db: Database;
  readonly config: Pick<Config, 'dataDir' | 'searchPages' | 'searchUrl' | 'searchPrefix'>;
  readonly warn: (sentence: string, error?: unknown) => void;
}

const EVERY_MS = 5000;
/** One of all processes at a time works for so long; then whoever comes first goes on. */
const TURN_SECONDS = 5;
const TURN_MS = 4000;
/** What was written so lately may stand beside something older that is not committed yet. */
const SETTLED_MS = 60_000;
const TELL_AGAIN_MS = 60_000;

export class SearchDuty {
  readonly #ground: SearchDutyGround;
  readonly #over = new AbortController();
  #running: Promise<void> | undefined;
  #toldAtMs = Number.NEGATIVE_INFINITY;

  constructor(ground: SearchDutyGround) {
    this.#ground = ground;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      await this.#round().catch((error: unknown) => this.#tell(error));
      await pause(EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #round(): Promise<void> {
    const { db, config } = this.#ground;
    if (!(await takeJob(db, 'search-index', TURN_SECONDS))) return;
    const endMs = monotonicMs() + TURN_MS;
    const isOver = (): boolean => this.#over.signal.aborted || monotonicMs() >= endMs;
    const settled = new Date(now().getTime() - SETTLED_MS);
    while (!isOver() && (await noteNewWords(db, settled)).isMore);
    while (!isOver() && (await speakLanguages(db, settled)));
    if (config.searchPages) await indexPages({ db, warcDirectory: warcDirectory(config) }, isOver);
  }

  #tell(error: unknown): void {
    if (this.#over.signal.aborted || monotonicMs() - this.#toldAtMs < TELL_AGAIN_MS) return;
    this.#toldAtMs = monotonicMs();
    this.#ground.warn('making things searchable has failed; it is tried again', error);
  }
}
