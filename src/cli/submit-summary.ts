/** What came of orders: the numbers of the tasks, as far as they are few, and how many were not taken. */
import type { CommandContext } from './context.ts';
import { formatCount, formatDuration, formatRate, pad, printable } from './format.ts';
import { MOST_NAMED, type OrderSubmission } from './submit-orders.ts';

/** Of more that come from a file, machines are told the numbers (--json); people have the list. */
const MOST_OF_FILE = 20;

export function printSummary(
  context: CommandContext,
  { figures, batchId, made, hasFile }: OrderSubmission,
  seconds: number,
  isStopped: boolean,
): void {
  const isNamed = figures.lines <= MOST_NAMED;
  if (context.isJson) {
    context.printJson({
      ...figures,
      batchId: batchId ?? null,
      ids: isNamed ? made.map(({ id }) => id) : null,
      seconds: Math.round(seconds * 1000) / 1000,
      isStopped,
    });
    return;
  }
  const tasks = isNamed ? made.filter(({ id }) => id !== null) : [];
  for (const { id, url } of hasFile && tasks.length > MOST_OF_FILE ? [] : tasks)
    context.printLine(`Task ${id} for ${printable(url)}.`);
  const { style } = context.out;
  const head = isStopped ? style.yellow('Stopped.') : style.green('Done.');
  const pace = formatRate(figures.lines / Math.max(seconds, 0.001));
  const what = `${formatCount(figures.lines)} ${figures.lines === 1 ? 'order' : 'orders'}`;
  context.printLine(`${head} ${what} in ${formatDuration(seconds * 1000)} (${pace} a second)`);
  const rows: [string, number][] = [
    ['new tasks', figures.accepted],
    ['have a live task', figures.duplicates],
    ...(batchId === undefined ? [] : [['already in the batch', figures.alreadyInBatch] as [string, number]]),
    ['refused', figures.refused],
    ['new domains', figures.newDomains],
  ];
  const nameWidth = Math.max(...rows.map(([name]) => name.length));
  const width = Math.max(...rows.map(([, count]) => formatCount(count).length));
  for (const [name, count] of rows) {
    context.printLine(`  ${pad(name, nameWidth, 'left')}  ${pad(formatCount(count), width, 'right')}`);
  }
  if (figures.alreadyInBatch > 0)
    context.printLine('What the batch has already was passed over; --again orders it once more.');
  if (batchId !== undefined)
    context.printLine(
      `They are in batch ${batchId}: "${context.suggest(`batch show ${batchId}`)}" tells how far it is.`,
    );
}
