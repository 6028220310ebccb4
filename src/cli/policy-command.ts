/** `forager policy …`: standing orders, pages that are fetched again and again. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { WANTED } from '../contract/task-shapes.ts';
import { frequencyOption } from './frequency-option.ts';
import { positiveInteger, rowLimit, wholeNumber } from './option-values.ts';

const ADD_EXAMPLES = `
Examples:
  forager policy add https://shop.example/deals --every 6h
  forager policy add https://shop.example/deals --every 30m --priority 1 --retries 5
  forager policy add https://shop.example/deals --every 7d --first 2030-01-01T00:00:00Z

The first run comes at once, unless --first says when; where the page has a task that is not over, that one counts as the
first run, whenever it is due. The next run counts from the end of each. A run that failed for
good is repeated after 5, 10, 20 and 40 minutes (--backoff), then as usual. Runs that were missed are made up for by
one. A scheduler must run: "forager scheduler", or "forager up".`;

const LIST_EXAMPLES = `
Examples:
  forager policy list
  forager policy list --domain shop.example --failing
  forager policy list --sort next-run --json | jq -r .url`;

const SHOW_EXAMPLES = `
Examples:
  forager policy show 7`;

const SET_EXAMPLES = `
Examples:
  forager policy set 7 --every 12h --priority 3
  forager policy set 7 --next 2030-01-01T00:00:00Z

What is not named stays as it is. Another frequency counts from the end of the last run that went well. A task that is
under way goes on as it was ordered.`;

const RUN_EXAMPLES = `
Examples:
  forager policy run 7

Makes its next task at once, also where it is off. While a task for its page is not over, that one is named instead: one
that was to run later is due now, and one that is paused stays so until "forager task resume" lets it go on.`;

const SWITCH_EXAMPLES = `
Examples:
  forager policy disable 7
  forager policy enable 7

One that is off has no further runs; a task that is under way goes on. Switched on again, runs that were missed are
made up for by one. Doing it twice is harmless.`;

const REMOVE_EXAMPLES = `
Examples:
  forager policy remove 7

Its tasks stay, and one that is under way goes on; it is the last.`;

const ID = 'its number, as "forager policy list" shows it';
const actions = () => import('./policy-actions.ts');

export function addPolicyCommand(program: Command): void {
  const policy = program.command('policy').description('standing orders: pages fetched again and again');
  addOptions(
    policy
      .command('add')
      .description('make a standing order for a page')
      .argument('<url>', 'the page')
      .requiredOption('--every <time>', 'from the end of a run to the next: 30m, 6h, 7d', frequencyOption),
  )
    .option('--first <time>', 'when it is run first, such as 2030-01-01T00:00:00Z (default: at once)', moment)
    .option('--disabled', 'do not run it until it is enabled')
    .option('--allow-private', 'also a page at a loopback or private address')
    .addHelpText('after', ADD_EXAMPLES)
    .action(async (url: string, _options: unknown, command: Command) => {
      await (await actions()).addPolicy(url, command);
    });
  policy
    .command('list')
    .description('list the policies')
    .option('--domain <name>', 'only those of this domain')
    .option('--enabled', 'only those that are on')
    .option('--disabled', 'only those that are off')
    .option('--failing', 'only those whose last run failed')
    .option('--running', 'only those with a task under way')
    .option('--search <text>', 'only those with this in the URL')
    .addOption(
      new Option('--sort <order>', 'in which order').choices(['newest', 'next-run']).default('newest'),
    )
    .option('--limit <n>', 'at most so many', rowLimit, 50)
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./policy-list.ts')).showPolicies(command);
    });
  const one = (verb: string, description: string, examples: string): Command =>
    policy
      .command(verb)
      .description(description)
      .argument('<id>', ID, positiveInteger)
      .addHelpText('after', examples);
  one('show', 'show a policy and its last runs', SHOW_EXAMPLES).action(
    async (id: number, _options: unknown, command: Command) => {
      await (await import('./policy-show.ts')).showPolicy(id, command);
    },
  );
  addOptions(
    one('set', 'change a policy', SET_EXAMPLES).option(
      '--every <time>',
      'from the end of a run to the next: 30m, 6h, 7d',
      frequencyOption,
    ),
  )
    .option('--next <time>', 'when it is run next, such as 2030-01-01T00:00:00Z', moment)
    .action(async (id: number, _options: unknown, command: Command) => {
      await (await actions()).setPolicy(id, command);
    });
  one('run', 'run a policy now', RUN_EXAMPLES).action(
    async (id: number, _options: unknown, command: Command) => {
      await (await actions()).runPolicyNow(id, command);
    },
  );
  for (const isEnabled of [true, false]) {
    const verb = isEnabled ? 'enable' : 'disable';
    one(verb, isEnabled ? 'switch a policy on' : 'switch a policy off', SWITCH_EXAMPLES).action(
      async (id: number, _options: unknown, command: Command) => {
        await (await actions()).switchAndTell(id, isEnabled, command);
      },
    );
  }
  one('remove', 'remove a policy; its tasks stay', REMOVE_EXAMPLES).action(
    async (id: number, _options: unknown, command: Command) => {
      await (await actions()).removeAndTell(id, command);
    },
  );
}

function addOptions(command: Command): Command {
  return command
    .option('--priority <n>', 'of its tasks: 1 is the most urgent, 10 the least', wholeNumber)
    .option('--retries <n>', 'further attempts within a run', wholeNumber)
    .option('--backoff <minutes>', 'wait after a run that failed; doubled with each in a row', wholeNumber)
    .option('--timeout <minutes>', 'how long a bot may take for a run', wholeNumber)
    .option(
      '--follow-depth <n>',
      'the pages that its page names become tasks too, so many steps deep',
      wholeNumber,
    )
    .option('--follow-limit <n>', 'of each page, so many at most (default: 100)', wholeNumber)
    .addOption(new Option('--executor <who>', 'who fetches it').choices(['forager', 'bot']))
    .addOption(new Option('--wanted <what>', 'what a bot must bring').choices(WANTED));
}

function moment(text: string): Date {
  const isComplete = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const date = new Date(text);
  if (!isComplete || Number.isNaN(date.getTime())) {
    throw new InvalidArgumentError('It must be a moment with its zone, such as 2030-01-01T00:00:00Z.');
  }
  return date;
}
