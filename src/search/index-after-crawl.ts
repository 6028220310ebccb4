/** What a crawl has read becomes searchable at its end, as far as that takes no time worth mentioning. */
import { monotonicMs, now } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { indexPages } from './pages/index-pages.ts';
import { countWaiting } from './status/count-waiting.ts';
import { noteNewWords } from './words/note-words.ts';

const MOST_MS = 2000;

export interface CrawledGround {
  readonly db: Database;
  /** Undefined: texts of pages are not wanted. */
  readonly warcDirectory: string | undefined;
}

/** How many pages are left whose text cannot be searched yet. */
export async function indexAfterCrawl({ db, warcDirectory }: CrawledGround): Promise<number> {
  const endMs = monotonicMs() + MOST_MS;
  const isOver = (): boolean => monotonicMs() >= endMs;
  while (!isOver() && (await noteNewWords(db, now())).isMore);
  if (warcDirectory === undefined) return 0;
  await indexPages({ db, warcDirectory }, isOver);
  return (await countWaiting(db))?.pages ?? 0;
}
