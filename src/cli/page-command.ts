/** `forager page …`: the pages that were read. */
import type { Command } from 'commander';
import { httpStatus, rowLimit, wholeNumber } from './option-values.ts';
import { addPageSearch } from './search-options.ts';

const LIST_EXAMPLES = `
Examples:
  forager page list --limit 20
  forager page list --domain example.com --title "price list"
  forager page list --gone --domain example.com
  forager page list --after 5000 --limit 1000 --json

Pages come in the order in which they were first read. --after takes the last id of one list to get the next.
Pages that were not there at the last readings are marked: "missing" while they are asked for again, "gone" when
they were missing too often. What was read of them is kept.`;

const SHOW_EXAMPLES = `
Examples:
  forager page show https://example.com/article
  forager page show 1234 --markdown
  forager page show https://example.com/ --raw > page.html

Without an option: what is known about the page. Text, Markdown and the page itself come from the kept body;
pages crawled with --no-bodies, or that ask not to be archived, have none.`;

export function addPageCommand(program: Command): void {
  const page = program.command('page').description('the pages that were read');
  page
    .command('list')
    .description('list pages')
    .option('--domain <domain>', 'only of this domain')
    .option('--status <code>', 'only with this HTTP status', httpStatus)
    .option('--title <text>', 'only with this text in the title, whatever the case')
    .option('--gone', 'only pages that are gone from their site')
    .option('--no-gone', 'without pages that are gone from their site')
    .option('--after <id>', 'only pages after this one', wholeNumber, 0)
    .option('--limit <n>', 'how many to show', rowLimit, 50)
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./list-pages.ts')).listPages(command);
    });
  addPageSearch(page);
  page
    .command('show')
    .description('show one page: what is known about it, its text, its article or its source')
    .argument('<url|id>', 'its URL in any spelling, or its id')
    .option('--text', 'its article as text: the main content without navigation, header, footer')
    .option('--markdown', 'its article as Markdown')
    .option('--visible-text', 'all the text a visitor sees')
    .option('--raw', 'the page itself, as received (decompressed)')
    .option('--article-json', 'its article with title, author, date, kind, text and Markdown as JSON')
    .addHelpText('after', SHOW_EXAMPLES)
    .action(async (idOrUrl: string, _options: unknown, command: Command) => {
      await (await import('./show-page.ts')).showPage(idOrUrl, command);
    });
}
