/** Runs `forager search …`. */
import type { Command } from 'commander';
import { warcDirectory } from '../control/pages/warc-directory.ts';
import { now } from '../platform/clock.ts';
import { speakLanguages } from '../search/languages/speak-languages.ts';
import { countDuePages, indexPages } from '../search/pages/index-pages.ts';
import { answeringServer, type Probe, probeServer } from '../search/status/probe-server.ts';
import { readRejects, readSearchState, type SearchState } from '../search/status/search-state.ts';
import { noteNewWords } from '../search/words/note-words.ts';
import { makeContext, withDatabase } from './context.ts';
import { printFields } from './field-list.ts';
import { formatCount, formatDuration } from './format.ts';
import { formatInstant } from './moments.ts';
import { showShare } from './share-progress.ts';

export async function showSearchStatus(command: Command): Promise<void> {
  const context = makeContext(command);
  const { config } = context;
  const { state, rejects } = await withDatabase(config, async (db) => ({
    state: await readSearchState(db),
    rejects: await readRejects(db),
  }));
  const probe = await probeServer(config);
  const engine = answeringServer(probe, state) ?? 'PostgreSQL';
  if (context.isJson) {
    context.printJson({ ...state, engine, searchUrl: probe ?? null, rejects });
    return;
  }
  const { outboxAgeSeconds: age } = state;
  printFields(context, [
    ['answers now', engine],
    ['SEARCH_URL', probe === undefined ? null : describeProbe(probe)],
    ['registered', state.server === null ? null : describeRegistered(state)],
    ['products', describeAmount(state.products)],
    ['pages', `${describeAmount(state.pages)}, ${formatCount(state.pagesWaiting)} waiting`],
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
  const isLeftOver = probe === undefined && state.server !== null;
  if (isLeftOver)
    context.err.write('No SEARCH_URL is set here: "forager search forget" if that is for good.\n');
}

function describeProbe({ name, what, failure, missing }: Probe): string {
  if (what === null) return `${name}, which does not answer: ${failure}`;
  return `${name}, ${what}${missing.length === 0 ? '' : `, without the index ${missing.join(', ')}`}`;
}

function describeRegistered({ server, isBuilt }: SearchState): string {
  return isBuilt === true ? `${server}` : `${server}, whose indexes are not built yet`;
}

/** Beyond, what the database remembers of its last count. */
const MOST_EXACT = 100_000;

function describeAmount(count: number): string {
  return count > MOST_EXACT ? `about ${formatCount(count)}` : formatCount(count);
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
