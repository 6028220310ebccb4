/**
 * Lists of tasks walk along an index that has the order of the list: that of the most telling filter, or that of the
 * numbers. The planner is not asked: it takes what is looked for to be spread evenly, and would walk through a million
 * old tasks to the few that are new. That the column is between a value and itself, and the order begins with it, is
 * what leaves it no choice: by an equality it would know that the column decides nothing about the order.
 */
export type TaskOrderName = 'asc' | 'desc';

/** The columns that have an index with the number behind them, the most telling first. */
const WALKS = {
  parentTaskId: { column: 'parent_task_id', type: 'bigint' },
  policyId: { column: 'policy_id', type: 'bigint' },
  batchId: { column: 'batch_id', type: 'bigint' },
  domainId: { column: 'domain_id', type: 'bigint' },
  status: { column: 'status', type: 'task_status' },
  createdBy: { column: 'created_by', type: 'text' },
} as const;

export type Walk = keyof typeof WALKS;

/** Undefined: none of them is given, so it is the numbers themselves. */
export function chooseWalk(given: Readonly<Partial<Record<Walk, unknown>>>): Walk | undefined {
  return (Object.keys(WALKS) as Walk[]).find((name) => given[name] !== undefined);
}

/** The statement along that index, whose value is in the parameter of that number. */
export function walkAlong(statement: string, walk: Walk | undefined, parameter: number): string {
  if (walk === undefined) return statement;
  const { column, type } = WALKS[walk];
  const value = `$${parameter}::${type}`;
  return statement
    .replaceAll('where /* walk */', `where ${column} between ${value} and ${value} and`)
    .replaceAll('order by /* walk */', `order by ${column} desc,`)
    .replaceAll('order by /* walk l. */', `order by l.${column} desc,`);
}

/** From the oldest to the newest. */
export function turnRound(statement: string): string {
  return statement
    .replaceAll(/(order by [^\n]*)/g, (line) => line.replaceAll(' desc', ' asc'))
    .replaceAll(/\bid < (\$\d+)/g, 'id > $1')
    .replaceAll(/\bid >= (\$\d+)/g, 'id <= $1');
}
