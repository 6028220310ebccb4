/** `forager domain …`: the domains, their states and settings, and a fresh start for one of them. */
import { type Command, Option } from 'commander';
import type { TopOrder } from '../control/domains/list-domains.ts';
import { addChangeCommands } from './change-domain-commands.ts';
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
  forager domain info https://www.example.com/any/page --json
  forager domain info example.com --json | jq -r '.events[] | [.at, .from, .to, .code] | @tsv'

Its history shows the last ten changes of state, with --json the last hundred.`;

const RESET_EXAMPLES = `
Examples:
  forager domain reset example.com
  forager domain reset example.com --reason "they raised our limit"
  forager domain reset example.com --recrawl

The domain becomes pending: cooldown, reason and error counters go, its robots.txt is read again, and URLs
that failed or were blocked are due again. A worker that is at it can write nothing more about it; since its
requests may still be under way, nobody claims the domain for the time a request may take (at least 5 s).
Pages already read stay. Nothing is fetched until the next crawl. "forager domain info" shows who reset it,
when and why.`;

const TOP_EXAMPLES = `
Examples:
  forager domain top
  forager domain top --by yield --limit 10
  forager domain top --by errors --json

  score     who is worth crawling next; "forager explain example.com" shows what it is made of
  yield     images stored per page read (YIELD)
  products  products found per page read (PRODUCTS)
  pages     pages read
  images    images seen
  errors    part of the requests that failed

LEFT is how many known URLs have brought no page yet. Blocked and unreachable domains have no score: they are
left out of the order by score. Scores are as of now; claims go by those of the last "forager domain
reprioritize", which workers do every hour. A narrow terminal gets fewer columns.`;

const CLAIMS_EXAMPLES = `
Examples:
  forager domain claims
  forager domain claims --json | jq '.unclaimed[] | select(.status == "pending").ready'

READY can be claimed now. IN STOPPED CRAWLS goes on when the same crawl is started again, or when "forager seed"
puts the site into the standing order; workers leave it alone. RESTING is left alone until a time of its own: after a cooldown, a rest the site
asked for, or until its pages are read again. NEED RESET has come back by itself as often as it may and waits
for "forager domain reset". OFF is switched off.`;

const REPRIORITIZE_EXAMPLES = `
Examples:
  forager domain reprioritize
  forager domain reprioritize example.com example.org --json

Workers do it every hour. A domain somebody is writing about at this moment keeps its score until the next
time; blocked and unreachable domains keep the one they had.`;

const NAME = 'its name in any spelling, or a URL of it';
const STATUSES = ['pending', 'active', 'exhausted', 'blocked', 'unreachable'];
const ORDERS: readonly TopOrder[] = ['score', 'yield', 'products', 'pages', 'images', 'errors'];

export function addDomainCommand(program: Command): void {
  const domain = program
    .command('domain')
    .description('the domains, their states, scores and settings, who holds them, and a fresh start for one');
  domain
    .command('status')
    .description('list domains with their state and progress, the most recently crawled first')
    .addOption(new Option('--status <status>', 'only domains in this state').choices(STATUSES))
    .option('--limit <n>', 'how many to show', rowLimit, 100)
    .addHelpText('after', STATUS_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./show-domains.ts')).showStatus(command);
    });
  domain
    .command('info')
    .description('show everything known about one domain')
    .argument('<domain>', NAME)
    .addHelpText('after', INFO_EXAMPLES)
    .action(async (name: string, _options: unknown, command: Command) => {
      await (await import('./show-domain.ts')).showDomain(name, command);
    });
  domain
    .command('reset')
    .description('give a domain a fresh start, whatever kept it from being crawled')
    .argument('<domain>', NAME)
    .option('--reason <text>', 'why, for its history')
    .option('--recrawl', 'also fetch again what was fetched')
    .addHelpText('after', RESET_EXAMPLES)
    .action(async (name: string, _options: unknown, command: Command) => {
      await (await import('./reset-domain-action.ts')).resetAndTell(name, command);
    });
  domain
    .command('top')
    .description('the domains that come first by score, or by what they yield')
    .addOption(new Option('--by <what>', 'what to order by').choices(ORDERS).default('score'))
    .option('--limit <n>', 'how many to show', rowLimit, 20)
    .addHelpText('after', TOP_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./show-domain-top.ts')).showTop(command);
    });
  domain
    .command('claims')
    .description('show who holds domains, and how many wait for somebody')
    .addHelpText('after', CLAIMS_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./show-domain-claims.ts')).showClaims(command);
    });
  domain
    .command('reprioritize')
    .description('bring the scores of domains up to date')
    .argument('[domains...]', 'only these')
    .addHelpText('after', REPRIORITIZE_EXAMPLES)
    .action(async (names: string[], _options: unknown, command: Command) => {
      await (await import('./reprioritize-action.ts')).reprioritizeAndTell(names, command);
    });
  addChangeCommands(domain);
}
