/** Prints tasks: `task list`. */
import type { Command } from 'commander';
import type { TaskStatus } from '../contract/task-shapes.ts';
import { findBatch } from '../control/batches/read-batches.ts';
import { findDomain } from '../control/domains/find-domain.ts';
import { listTasks, type TaskFilter, type TaskRow } from '../control/tasks/list-tasks.ts';
import type { Database } from '../platform/database.ts';
import { makeContext, withDatabase } from './context.ts';
import { type FitColumn, fitTable, SHORTEST_URL } from './fit-table.ts';
import { formatCount, printable } from './format.ts';
import { formatMoment } from './moments.ts';
import { printBelow } from './print-below.ts';
import type { Style } from './terminal.ts';

const COLUMNS: readonly FitColumn[] = [
  { title: 'URL', least: SHORTEST_URL },
  { title: 'ID', align: 'right' },
  { title: 'STATUS' },
  { title: 'PRIORITY', align: 'right', drop: 4 },
  { title: 'SCHEDULED', drop: 5 },
  { title: 'TRIES', drop: 3 },
  { title: 'HTTP', align: 'right', drop: 2 },
  { title: 'BATCH', drop: 1 },
];

interface ListOptions {
  readonly status?: TaskStatus;
  readonly domain?: string;
  readonly batch?: string;
  readonly policy?: number;
  readonly parent?: number;
  readonly createdBy?: string;
  readonly priority?: number;
  readonly since?: Date;
  readonly until?: Date;
  readonly search?: string;
  readonly limit: number;
}

export async function showTasks(command: Command): Promise<void> {
  const context = makeContext(command);
  const { domain, batch, policy, parent, limit, ...rest } = command.optsWithGlobals<ListOptions>();
  const { status, createdBy, priority, since, until, search } = rest;
  const rows = await withDatabase(context.config, async (db) => {
    const filter = {
      ...{ status, createdBy, priority, since, until, search, policyId: policy, parentTaskId: parent },
      domainId: domain === undefined ? undefined : (await findDomain(db, domain)).id,
      batchId: batch === undefined ? undefined : (await findBatch(db, batch)).id,
    };
    return readRows(db, filter, limit + 1);
  });
  const shown = rows.slice(0, limit);
  if (context.isJson) for (const row of shown) context.printJson(row);
  else if (shown.length === 0) {
    context.printLine(`There are no such tasks. "${context.suggest('task submit URL')}" makes one.`);
  } else {
    const { style } = context.out;
    const [head = '', ...lines] = fitTable(
      context.out,
      COLUMNS,
      shown.map((row) => cellsOf(row, style)),
    );
    context.printLine(style.bold(head));
    for (const [index, line] of lines.entries()) {
      context.printLine(line);
      const error = shown[index]?.errorMessage ?? null;
      if (error !== null) printBelow(context, error.slice(0, 200));
    }
  }
  if (rows.length > limit) context.err.write(`The first ${formatCount(limit)}; --limit shows more.\n`);
}

/** A look ends after so many tasks: here the next one begins where it did. */
async function readRows(db: Database, filter: TaskFilter, limit: number): Promise<TaskRow[]> {
  const rows: TaskRow[] = [];
  let after: number | undefined;
  do {
    const page = await listTasks(db, filter, 'desc', after, limit - rows.length);
    rows.push(...page.rows);
    after = page.lookedTo;
  } while (after !== undefined);
  return rows;
}

function cellsOf(row: TaskRow, style: Style): string[] {
  return [
    ...[printable(row.url), String(row.id), paintTask(row.status, style), String(row.priority)],
    ...[formatMoment(row.scheduledAt), `${row.retryCount}/${row.maxRetries}`, String(row.httpStatus ?? '-')],
    printable(row.batchName ?? '-').slice(0, 30),
  ];
}

export function paintTask(status: TaskStatus, style: Style): string {
  if (status === 'completed') return style.green(status);
  if (status === 'failed' || status === 'expired') return style.red(status);
  if (status === 'paused' || status === 'cancelled') return style.dim(status);
  return status === 'pending' || status === 'queued' ? style.yellow(status) : style.cyan(status);
}
