/** `forager domain …`: the domains, their states, and a fresh start for one of them. */
import { type Command, Option } from 'commander';
import { rowLimit } from './option-values.ts';

const STATUS_EXAMPLES = `
Examples:
  forager domain status
  forager domain status --status blocked
  forager domain status --json | jq -r 'select(.errors > 0) | .domain'

PAGES is crawled/discovered. A domain that is blocked, unreachable or resting says why in a line below.`;

const INFO_EXAMPLES = `
Examples:
  forager domain info example.com
  forager domain info https://www.example.com/any/page --json`;

const RESET_EXAMPLES = `
Examples:
  forager domain reset example.com
  forager domain reset example.com --reason "they raised our limit"
  forager domain reset example.com --recrawl

The domain becomes pending: cooldown, reason and error counters go, its robots.txt is read again, and URLs
that failed or were blocked are due again. A worker that is at it can write nothing more about it.
Pages already read stay. Nothing is fetched until the next crawl.`;

const TOP_EXAMPLES = `
Examples:
  forager domain top --limit 10
  forager domain top --json

URLS/PAGE is how many new URLs each page led to; IMAGES/PAGE how many images a page has.`;

export function addDomainCommand(program: Command): void {
  const domain = program
    .command('domain')
    .description('the domains, their states, and a fresh start for one');
  domain
    .command('status')
    .description('list domains with their state and progress, the most recently crawled first')
    .addOption(
      new Option('--status <status>', 'only domains in this state').choices([
        'pending',
        'active',
        'exhausted',
        'blocked',
        'unreachable',
      ]),
    )
    .option('--limit <n>', 'how many to show', rowLimit, 100)
    .addHelpText('after', STATUS_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./show-domains.ts')).showStatus(command);
    });
  domain
    .command('info')
    .description('show everything known about one domain')
    .argument('<domain>', 'its name in any spelling, or a URL of it')
    .addHelpText('after', INFO_EXAMPLES)
    .action(async (name: string, _options: unknown, command: Command) => {
      await (await import('./show-domain.ts')).showDomain(name, command);
    });
  domain
    .command('reset')
    .description('give a domain a fresh start, whatever kept it from being crawled')
    .argument('<domain>', 'its name in any spelling, or a URL of it')
    .option('--reason <text>', 'why, for the output')
    .option('--recrawl', 'also fetch again what was fetched')
    .addHelpText('after', RESET_EXAMPLES)
    .action(async (name: string, _options: unknown, command: Command) => {
      await (await import('./reset-domain-action.ts')).resetAndTell(name, command);
    });
  domain
    .command('top')
    .description('the domains with the most pages, and what a page of theirs yields')
    .option('--limit <n>', 'how many to show', rowLimit, 20)
    .addHelpText('after', TOP_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./show-domains.ts')).showTop(command);
    });
}
