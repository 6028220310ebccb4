/** Runs `forager search …`. */
import type { Command } from 'commander';
import { warcDirectory } from '../control/pages/warc-directory.ts';
import { now } from '../platform/clock.ts';
import { speakLanguages } from '../search/languages/speak-languages.ts';
import { countDuePages, indexPages } from '../search/pages/index-pages.ts';
import { readRejects, readSearchState } from '../search/status/search-state.ts';
import { noteNewWords } from '../search/words/note-words.ts';
import { makeContext, withDatabase } from './context.ts';
import { printFields } from './field-list.ts';
import { formatCount, formatDuration } from './format.ts';
import { formatInstant } from './moments.ts';
import { showShare } from './share-progress.ts';

export async function showSearchStatus(command: Command): Promise<void> {
  const context = makeContext(command);
  const { state, rejects } = await withDatabase(context.config, async (db) => ({
    state: await readSearchState(db),
    rejects: await readRejects(db),
  }));
  if (context.isJson) {
    context.printJson({ ...state, rejects });
    return;
  }
  const { outboxAgeSeconds: age } = state;
  printFields(context, [
    ['engine', state.server ?? 'PostgreSQL'],
    ['products', `about ${formatCount(state.products)}`],
    ['pages', `about ${formatCount(state.pages)}, ${formatCount(state.pagesWaiting)} waiting`],
    ...(state.server === null
      ? []
      : ([
          [
            'to be told',
            `${formatCount(state.outboxCount)}${age === null ? '' : `, for ${formatDuration(age * 1000)}`}`,
          ],
          ['refused', formatCount(state.rejected)],
          ['last told', state.succeededAt === null ? 'never' : formatInstant(state.succeededAt)],
          ['failure', state.failure],
        ] as const)),
  ]);
}

export async function runSearchIndex(command: Command): Promise<void> {
  const context = makeContext(command);
  const counts = await withDatabase(context.config, async (db) => {
    let products = 0;
    for (let isMore = true; isMore; ) {
      const portion = await noteNewWords(db, now());
      products += portion.count;
      isMore = portion.isMore;
    }
    while (await speakLanguages(db, now()));
    const due = await countDuePages(db);
    const pages = await showShare(context, 'texts of pages', due, (onCount) =>
      indexPages({ db, warcDirectory: warcDirectory(context.config) }, undefined, onCount),
    );
    return { products, pages };
  });
  if (context.isJson) context.printJson(counts);
  else
    context.printLine(
      `Words of ${formatCount(counts.products)} products and the text of ${formatCount(counts.pages)} pages taken.`,
    );
}
