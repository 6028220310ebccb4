/** Bots as lines on a terminal. */
import type { Bot, BotDetails, HeldLine } from '../control/bots/bots.ts';
import type { CommandContext } from './context.ts';
import { printFields, printHeading } from './field-list.ts';
import { fitTable, SHORTEST_URL } from './fit-table.ts';
import { formatCount, formatDuration, printable, shorten } from './format.ts';
import { describeMoment, formatMoment, formatSpan } from './moments.ts';

const MOST_DOMAINS_SHOWN = 5;
const DOMAINS_WIDTH = 40;

export function printBots(context: CommandContext, bots: readonly Bot[]): void {
  const right = { align: 'right' } as const;
  const [head = '', ...lines] = fitTable(
    context.out,
    [
      ...[{ title: 'NAME' }, { title: 'STATE' }, { title: 'HOLDS', ...right }, { title: 'JOBS', ...right }],
      ...[
        { title: 'SUCCESS', ...right },
        { title: 'TIME', drop: 2, ...right },
        { title: 'LAST PULL', drop: 1 },
      ],
      { title: 'DOMAINS', drop: 3 },
    ],
    bots.map((bot) => [
      ...[bot.botId, bot.isRevoked ? 'revoked' : 'active', String(bot.heldCount), formatCount(bot.jobsCount)],
      ...[describeRate(bot.successRate), describeTime(bot.meanWorkMs), describeMoment(bot.lastPullAt)],
      printable(shorten(describeDomains(bot), DOMAINS_WIDTH)),
    ]),
  );
  context.printLine(context.out.style.bold(head));
  for (const line of lines) context.printLine(line);
}

export function printBot(context: CommandContext, bot: BotDetails, jobs: readonly HeldLine[]): void {
  const { maxJobsPerHour, revokedAt } = bot;
  printFields(context, [
    ...([
      ['Name', bot.botId],
      ['Description', bot.description],
      ['State', revokedAt === null ? 'active' : `revoked ${formatMoment(revokedAt)}`],
      ['Domains', describeDomains(bot)],
      ['May hold', `${describeJobs(bot.maxLocks)}; it holds ${formatCount(bot.heldCount)}`],
      [
        'May pull',
        maxJobsPerHour === null ? 'as many as there are' : `${describeJobs(maxJobsPerHour)} an hour`,
      ],
    ] as const),
    ...([
      ['Pulls', `${formatCount(bot.pullsCount)}; ${bot.pullsPerHour} an hour over the last day`],
      ['Jobs', formatCount(bot.jobsCount)],
      [
        'Handed in',
        `${formatCount(bot.successCount)} done, ${formatCount(bot.failuresCount)} failed, ` +
          `${formatCount(bot.expiredCount)} ran out`,
      ],
      ['Success', describeRate(bot.successRate)],
      ['Time for a job', describeTime(bot.meanWorkMs)],
      ['Last pull', describeMoment(bot.lastPullAt)],
      ['Last result', describeMoment(bot.lastSubmitAt)],
      ['Registered', `${formatMoment(bot.createdAt)} by ${bot.createdBy}`],
    ] as const),
  ]);
  printHours(context, bot);
  printJobs(context, bot, jobs);
}

function printHours(context: CommandContext, { hours }: BotDetails): void {
  const busy = hours.filter(
    (hour) => hour.pullsCount + hour.successCount + hour.failuresCount + hour.expiredCount > 0,
  );
  if (busy.length === 0) return;
  printHeading(context, 'Last 24 hours');
  const right = { align: 'right' } as const;
  const lines = fitTable(
    context.out,
    [
      ...[{ title: 'HOUR' }, { title: 'PULLS', ...right }, { title: 'JOBS', ...right }],
      ...[
        { title: 'DONE', ...right },
        { title: 'FAILED', ...right },
        { title: 'RAN OUT', ...right },
      ],
      { title: 'TIME', ...right },
    ],
    busy.map((hour) => [
      ...[formatMoment(hour.hour), String(hour.pullsCount), String(hour.jobsCount)],
      ...[String(hour.successCount), String(hour.failuresCount), String(hour.expiredCount)],
      describeTime(hour.meanWorkMs),
    ]),
  );
  for (const line of lines) context.printLine(line);
}

function printJobs(context: CommandContext, bot: BotDetails, jobs: readonly HeldLine[]): void {
  if (jobs.length === 0) return;
  printHeading(context, jobs.length < bot.heldCount ? `Holds (${jobs.length} of ${bot.heldCount})` : 'Holds');
  const lines = fitTable(
    context.out,
    [
      ...[{ title: 'TASK', align: 'right' as const }, { title: 'LEFT' }, { title: 'RETRIES', drop: 1 }],
      { title: 'URL', least: SHORTEST_URL },
    ],
    jobs.map((job) => [
      ...[String(job.taskId), job.secondsLeft > 0 ? formatSpan(job.secondsLeft) : 'ran out'],
      ...[`${job.retryCount} of ${job.maxRetries}`, printable(job.url)],
    ]),
  );
  for (const line of lines) context.printLine(line);
}

function describeDomains({ domains }: Pick<Bot, 'domains'>): string {
  if (domains === null) return 'all';
  const more = domains.length - MOST_DOMAINS_SHOWN;
  return domains.slice(0, MOST_DOMAINS_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function describeJobs(count: number): string {
  return count === 1 ? '1 job' : `${formatCount(count)} jobs`;
}

function describeRate(rate: number | null): string {
  return rate === null ? '-' : `${(rate * 100).toFixed(1)} %`;
}

function describeTime(ms: number | null): string {
  return ms === null ? '-' : formatDuration(ms);
}
