/** `forager task …`: explicit orders, and what can be done with them. */
import { type Command, Option } from 'commander';
import { TASK_STATUSES, WANTED } from '../contract/task-shapes.ts';
import { boundedFrequency } from './frequency-option.ts';
import { positiveInteger, rowLimit } from './option-values.ts';
import {
  comingMoment,
  depthValue,
  followLimitValue,
  pastMoment,
  priorityValue,
  restartLimit,
  retriesValue,
  taskIds,
} from './task-values.ts';

const SUBMIT_EXAMPLES = `
Examples:
  forager task submit https://example.com/page
  forager task submit https://example.com/prices --every 6h --priority 2
  forager task submit https://example.com/list --follow-depth 1 --follow-limit 50
  forager task submit --file urls.txt --batch "Black Friday" --at 2026-11-27T00:00:00Z
  zcat tasks.jsonl.gz | forager task submit --file -

A file has a URL in each line, or columns with a header (url,priority,scheduled_at …), or an object in each line
({"url": …, "priority": 1, "ref": "a", "parentRef": "b"}); gzip is recognised. It may be of any size: a thousand
lines are stored at a time, and Ctrl-C stops cleanly. A bad line is told and passed over, and the command ends
with 1; with --refuse-all nothing is taken unless everything can be (up to 10,000 lines). Options hold for lines that
say nothing themselves. A domain that is not known is made known for its tasks only.

Pages that have a live task already are only counted. With --batch, so are those that the batch has, whatever became of
them: sending a file again after an interruption orders nothing twice, unless --again says so. Without --batch, pages
whose tasks are over by then are ordered once more.`;

const LIST_EXAMPLES = `
Examples:
  forager task list
  forager task list --status failed --domain example.com --since 24h
  forager task list --batch "Black Friday" --search /shoes/
  forager task list --status failed --json | jq -r .url

TRIES is how many retries were needed, of how many there may be.`;

const SHOW_EXAMPLES = `
Examples:
  forager task show 42
  forager task show 42 --json | jq '.history[] | [.at, .to, .actor]'`;

const STATS_EXAMPLES = `
Examples:
  forager task stats
  forager task stats --domain example.com --since 24h
  forager task stats --batch "Black Friday" --json`;

const SET_EXAMPLES = `
Examples:
  forager task set 42 --parent 7
  forager task set 42 43 --no-parent
  forager task set 42 --max-retries 10

The parent of a task that is pending or paused; the retries of any that is not over. "forager task priority" makes one
more or less urgent.`;

const ACT_EXAMPLES = `
Examples:
  forager task pause 42 43 44
  forager task resume 42 43 44
  forager task cancel 42

Doing it twice is harmless. What cannot be done in the state a task is in is told, the others are done, and the
command ends with 1. "forager batch pause" does it for a whole batch, "forager domain pause" for a whole domain.`;

const RESTART_EXAMPLES = `
Examples:
  forager task restart 42
  forager task restart 42 43 --priority 1 --at 2h

Of a task that is over: completed, failed, cancelled or expired. One that is pending or queued has not begun: it gets the
priority, and while it is pending the time.`;

const PARSING_EXAMPLES = `
Examples:
  forager task restart-parsing 42

Goes by what was fetched, as far as it is kept; nothing is fetched.`;

const FAILED_EXAMPLES = `
Examples:
  forager task restart-failed --dry-run
  forager task restart-failed --domain example.com --since 24h
  forager task restart-failed --batch "Black Friday" --limit 100000

The newest first. Pages that have a live task by now are left out.`;

const PRIORITY_EXAMPLES = `
Examples:
  forager task priority 42 43 --to 1

Of tasks that are not over. Waiting work is taken in the new order from now on.`;

const IDS = 'their numbers';

export function addTaskCommand(program: Command): void {
  const task = program
    .command('task')
    .description('explicit orders: submit, watch, pause, cancel and restart them');
  task
    .command('submit')
    .argument('[urls...]', 'pages to be fetched')
    .description('order pages to be fetched')
    .option('--file <file>', 'read orders from a file ("-" reads standard input)')
    .option('--priority <n>', 'from 1, the most urgent, to 10 (default: 5)', priorityValue)
    .option('--at <time>', 'not before this time, or in 30m, 24h, 7d', comingMoment)
    .option('--max-retries <n>', 'further attempts after a failure that may pass (default: 3)', retriesValue)
    .option('--every <time>', 'again and again, that often: 30m, 6h, 1d', boundedFrequency)
    .option('--batch <name>', 'add them to this batch; a new name makes one')
    .option('--parent <id>', 'wait until that task is completed', positiveInteger)
    .option(
      '--follow-depth <n>',
      'the pages that a page names become tasks too, that many steps deep',
      depthValue,
    )
    .option('--follow-limit <n>', 'of each page, so many at most (default: 100)', followLimitValue)
    .addOption(new Option('--executor <who>', 'who is to fetch them').choices(['forager', 'bot']))
    .addOption(new Option('--wanted <what>', 'what a bot must bring (default: price)').choices(WANTED))
    .option('--again', 'with --batch: also the pages that the batch has already')
    .option('--refuse-all', 'take nothing unless everything can be taken (up to 10,000 lines)')
    .option('--allow-private', 'also loopback and private addresses')
    .addHelpText('after', SUBMIT_EXAMPLES)
    .action(async (urls: string[], _options: unknown, command: Command) => {
      await (await import('./task-submit.ts')).submitAndTell(urls, command);
    });
  addViews(task);
  addActs(task);
}

function addViews(task: Command): void {
  task
    .command('list')
    .description('list tasks, the newest first')
    .addOption(new Option('--status <status>', 'only those in this state').choices(TASK_STATUSES))
    .option('--domain <domain>', 'only those of this domain')
    .option('--batch <batch>', 'only those of this batch: its name or number')
    .option('--policy <id>', 'only those of this policy', positiveInteger)
    .option('--parent <id>', 'only those that wait, or waited, for this task', positiveInteger)
    .option('--created-by <who>', 'only those ordered by this one, such as user:anna')
    .option('--priority <n>', 'only those of this priority', priorityValue)
    .option('--since <time>', 'created since then, or in the last 30m, 24h, 7d', pastMoment)
    .option('--until <time>', 'created before then', pastMoment)
    .option('--search <text>', 'only those with this in their URL')
    .option('--limit <n>', 'how many to show', rowLimit, 50)
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./task-list.ts')).showTasks(command);
    });
  task
    .command('show')
    .description('show everything about one task, with its history')
    .argument('<id>', 'its number', positiveInteger)
    .addHelpText('after', SHOW_EXAMPLES)
    .action(async (id: number, _options: unknown, command: Command) => {
      await (await import('./task-show.ts')).showTask(id, command);
    });
  task
    .command('stats')
    .description('count tasks by their states, and tell how long they take')
    .option('--domain <domain>', 'only those of this domain')
    .option('--batch <batch>', 'only those of this batch: its name or number')
    .option('--since <time>', 'created since then, or in the last 30m, 24h, 7d', pastMoment)
    .addHelpText('after', STATS_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./task-stats.ts')).showTaskStats(command);
    });
}

function addActs(task: Command): void {
  const acts = () => import('./task-acts.ts');
  task
    .command('set')
    .description('change what tasks wait for, or how often they are tried')
    .argument('<ids...>', IDS, taskIds)
    .option('--parent <id>', 'wait until that task is completed', positiveInteger)
    .option('--no-parent', 'wait for no other task')
    .option('--max-retries <n>', 'further attempts after a failure that may pass', retriesValue)
    .addHelpText('after', SET_EXAMPLES)
    .action(async (ids: number[], _options: unknown, command: Command) => {
      await (await acts()).setAndTell(ids, command);
    });
  for (const [name, what] of [
    ['pause', 'pause tasks; what is being fetched for one is not counted as its result'],
    ['resume', 'let paused tasks go on'],
    ['cancel', 'cancel tasks, in whichever state'],
  ] as const) {
    task
      .command(name)
      .description(what)
      .argument('<ids...>', IDS, taskIds)
      .addHelpText('after', ACT_EXAMPLES)
      .action(async (ids: number[], _options: unknown, command: Command) => {
        await (await acts()).actAndTell(name, ids, command);
      });
  }
  task
    .command('restart')
    .description('start tasks that are over once more')
    .argument('<ids...>', IDS, taskIds)
    .option('--priority <n>', 'with another priority', priorityValue)
    .option('--at <time>', 'not before this time, or in 30m, 24h, 7d', comingMoment)
    .option('--keep-retries', 'the retries that were used up stay so')
    .addHelpText('after', RESTART_EXAMPLES)
    .action(async (ids: number[], _options: unknown, command: Command) => {
      await (await acts()).actAndTell('restart', ids, command);
    });
  task
    .command('restart-parsing')
    .description('parse what tasks have fetched once more, without fetching')
    .argument('<ids...>', IDS, taskIds)
    .option('--keep-retries', 'the retries that were used up stay so')
    .addHelpText('after', PARSING_EXAMPLES)
    .action(async (ids: number[], _options: unknown, command: Command) => {
      await (await acts()).actAndTell('restart-parsing', ids, command);
    });
  task
    .command('restart-failed')
    .description('start failed tasks once more')
    .option('--domain <domain>', 'only those of this domain')
    .option('--batch <batch>', 'only those of this batch: its name or number')
    .option('--since <time>', 'failed since then, or in the last 30m, 24h, 7d', pastMoment)
    .option('--limit <n>', 'at most so many', restartLimit, 1000)
    .option('--dry-run', 'only count them')
    .addHelpText('after', FAILED_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await acts()).restartFailedAndTell(command);
    });
  task
    .command('priority')
    .description('make tasks more or less urgent')
    .argument('<ids...>', IDS, taskIds)
    .requiredOption('--to <n>', 'from 1, the most urgent, to 10', priorityValue)
    .addHelpText('after', PRIORITY_EXAMPLES)
    .action(async (ids: number[], _options: unknown, command: Command) => {
      await (await acts()).prioritizeAndTell(ids, command);
    });
}
