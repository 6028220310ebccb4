/** `forager search …`: how what was crawled becomes searchable. */
import { type Command, Option } from 'commander';

const INDEX_EXAMPLES = `
Examples:
  forager search index
  forager search index --json

Takes the text of pages that were read since the last time out of their kept bodies, and the words that corrections
and suggestions are made of from products. The scheduler does the same all the time, as far as FORAGER_SEARCH_PAGES
allows.`;

const REINDEX_EXAMPLES = `
Examples:
  forager search reindex
  forager search reindex --only products

Builds the indexes of the search server (SEARCH_URL) anew from the database, beside those that are searched, and puts
them in their place in one moment. Interrupted, it goes on where it was when it is started again. A scheduler builds
them by itself where the server has none.`;

export function addSearchCommand(program: Command): void {
  const search = program.command('search').description('how what was crawled becomes searchable');
  search
    .command('status')
    .description('what can be found, what waits, and how the search server is')
    .action(async (_options: unknown, command: Command) => {
      await (await import('./run-search.ts')).showSearchStatus(command);
    });
  search
    .command('index')
    .description('make what was read since the last time searchable')
    .addHelpText('after', INDEX_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./run-search.ts')).runSearchIndex(command);
    });
  search
    .command('reindex')
    .description('build the indexes of the search server anew')
    .addOption(new Option('--only <what>', 'only this index').choices(['products', 'pages']))
    .addHelpText('after', REINDEX_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./run-reindex.ts')).runReindex(command);
    });
  search
    .command('forget')
    .description('write changes down for a search server no longer (after SEARCH_URL was taken away)')
    .action(async (_options: unknown, command: Command) => {
      await (await import('./run-reindex.ts')).runForget(command);
    });
}
