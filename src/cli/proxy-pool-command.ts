/** `forager proxy assign|unassign|pool|reset|sizing|health`: which domains use which proxies. */
import { type Command, InvalidArgumentError } from 'commander';
import { positiveInteger, rowLimit } from './option-values.ts';

const ASSIGN_EXAMPLES = `
Examples:
  forager proxy assign shop.example.com 3 4 5
  forager proxy assign shop.example.com 3 --priority 1 --max-per-hour 20

A domain with assigned proxies uses these and no others; where all of them are out it waits. Of those that are
assigned already, priority and limit are changed.`;

const POOL_EXAMPLES = `
Examples:
  forager proxy pool shop.example.com
  forager proxy pool shop.example.com --met      # shared ones that it has used
  forager proxy pool shop.example.com --off 3    # not for this domain; --on brings it back`;

const SIZING_EXAMPLES = `
Examples:
  forager proxy sizing shop.example.com
  forager proxy sizing shop.example.com --urls-per-hour 100 --max-per-hour 20

Requests an hour divided by what one proxy may do in an hour, rounded up, and 20 % more. What is not given is measured,
or taken from the settings.`;

const DOMAIN = 'the domain, such as example.com';

export function addPoolCommands(proxy: Command): void {
  const actions = () => import('./proxy-pool-actions.ts');
  proxy
    .command('assign')
    .description('assign proxies to a domain')
    .argument('<domain>', DOMAIN)
    .argument('<ids...>', 'numbers of proxies', collect)
    .option('--priority <n>', '1 goes first, 10 last', priority)
    .option(
      '--max-per-hour <n>',
      'most requests to it through each of them in any 60 minutes',
      positiveInteger,
    )
    .addHelpText('after', ASSIGN_EXAMPLES)
    .action(async (domain: string, ids: number[], _options: unknown, command: Command) => {
      await (await actions()).assign(domain, ids, command);
    });
  proxy
    .command('unassign')
    .description('take a proxy out of the pool of a domain')
    .argument('<domain>', DOMAIN)
    .argument('<id>', 'number of the proxy', positiveInteger)
    .option('--yes', 'also where the pool is left empty by it')
    .action(async (domain: string, id: number, _options: unknown, command: Command) => {
      await (await actions()).unassign(domain, id, command);
    });
  proxy
    .command('pool')
    .description('the proxies of a domain, and what it has seen of them')
    .argument('<domain>', DOMAIN)
    .option('--met', 'shared ones that it has met, as well')
    .option('--off <id>', 'switch one off for this domain', positiveInteger)
    .option('--on <id>', 'switch one on for this domain', positiveInteger)
    .option('--limit <n>', 'how many to show', rowLimit, 200)
    .addHelpText('after', POOL_EXAMPLES)
    .action(async (domain: string, _options: unknown, command: Command) => {
      await (await actions()).showPool(domain, command);
    });
  proxy
    .command('reset')
    .description('forget the failures of the proxies of a domain')
    .argument('<domain>', DOMAIN)
    .argument('[id]', 'only of this proxy', positiveInteger)
    .action(async (domain: string, id: number | undefined, _options: unknown, command: Command) => {
      await (await actions()).reset(domain, id, command);
    });
  proxy
    .command('sizing')
    .description('how many proxies a domain needs')
    .argument('<domain>', DOMAIN)
    .option('--urls-per-hour <n>', 'instead of what is measured', positiveInteger)
    .option('--max-per-hour <n>', 'through one proxy, instead of what is set', positiveInteger)
    .addHelpText('after', SIZING_EXAMPLES)
    .action(async (domain: string, _options: unknown, command: Command) => {
      await (await actions()).showSizing(domain, command);
    });
  proxy
    .command('health')
    .description('how the proxies of each domain do')
    .option('--limit <n>', 'how many to show', rowLimit, 200)
    .action(async (_options: unknown, command: Command) => {
      await (await actions()).showHealth(command);
    });
}

function collect(text: string, before: readonly number[] | undefined): number[] {
  return [...(before ?? []), positiveInteger(text)];
}

function priority(text: string): number {
  const value = positiveInteger(text);
  if (value > 10) throw new InvalidArgumentError('It must be from 1 to 10.');
  return value;
}
