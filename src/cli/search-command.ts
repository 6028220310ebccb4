/** `forager search …`: how what was crawled becomes searchable. */
import type { Command } from 'commander';

const INDEX_EXAMPLES = `
Examples:
  forager search index
  forager search index --json

Takes the text of pages that were read since the last time out of their kept bodies, and the words that corrections
and suggestions are made of from products. The scheduler does the same all the time, as far as FORAGER_SEARCH_PAGES
allows.`;

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
}
