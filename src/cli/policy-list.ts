/** Prints `policy list`. */
import type { Command } from 'commander';
import { listPolicies, listPoliciesByNextRun } from '../control/policies/list-policies.ts';
import type { Policy } from '../control/policies/policy.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { fitTable, SHORTEST_URL } from './fit-table.ts';
import { formatCount, printable } from './format.ts';
import { describeFrequency } from './frequency-option.ts';
import { describeMoment, formatMoment } from './moments.ts';
import type { Style } from './terminal.ts';

interface ListOptions {
  readonly domain?: string;
  readonly enabled?: true;
  readonly disabled?: true;
  readonly failing?: true;
  readonly running?: true;
  readonly search?: string;
  readonly sort: 'newest' | 'next-run';
  readonly limit: number;
}

export async function showPolicies(command: Command): Promise<void> {
  const context = makeContext(command);
  const options = command.optsWithGlobals<ListOptions>();
  const { domain, search, limit } = options;
  const filter = {
    ...{ domain, search, isFailing: options.failing, isRunning: options.running },
    isEnabled: options.enabled ?? (options.disabled === true ? false : undefined),
  };
  const rows = await withDatabase(context.config, (db) =>
    options.sort === 'newest'
      ? listPolicies(db, filter, 'desc', undefined, limit + 1)
      : listPoliciesByNextRun(db, filter, 'asc', undefined, limit + 1),
  );
  const shown = rows.slice(0, limit);
  if (context.isJson) for (const row of shown) context.printJson({ ...row, place: undefined });
  else if (shown.length === 0)
    context.printLine('No policies. "forager policy add URL --every 6h" makes one.');
  else printPolicies(context, shown);
  if (rows.length > limit) {
    context.err.write(`The first ${formatCount(limit)} policies; --limit shows more.\n`);
  }
}

function printPolicies(context: CommandContext, policies: readonly Policy[]): void {
  const { style } = context.out;
  const [head = '', ...lines] = fitTable(
    context.out,
    [
      { title: 'URL', least: SHORTEST_URL },
      { title: 'ID', align: 'right' },
      { title: 'EVERY' },
      { title: 'PRIORITY', align: 'right', drop: 1 },
      { title: 'STATE' },
      { title: 'NEXT RUN', drop: 3 },
      { title: 'LAST SUCCESS', drop: 2 },
    ],
    policies.map((policy) => [
      ...[printable(policy.url), String(policy.id), describeFrequency(policy.frequencyHours)],
      ...[String(policy.priority), describeState(policy, style)],
      policy.isEnabled && policy.liveTaskId === null ? formatMoment(policy.nextRunAt) : '-',
      describeMoment(policy.lastSuccessAt),
    ]),
  );
  context.printLine(style.bold(head));
  for (const line of lines) context.printLine(line);
}

export function describeState(
  { isEnabled, liveTaskStatus, failureCount }: Policy,
  { red, green, dim }: Style,
): string {
  if (liveTaskStatus !== null) return green(liveTaskStatus);
  if (!isEnabled) return dim('off');
  return failureCount > 0 ? red(`failed ${failureCount}×`) : 'waiting';
}
