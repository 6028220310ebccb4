/** Tasks over HTTP. */
import { z } from 'zod';
import * as contract from '../../contract/tasks.ts';
import { findBatch } from '../../control/batches/read-batches.ts';
import { findDomain } from '../../control/domains/find-domain.ts';
import { actOnTask } from '../../control/tasks/act-on-task.ts';
import { isPassedOver } from '../../control/tasks/batch-pages.ts';
import { changePriority, changeTask } from '../../control/tasks/change-task.ts';
import { countTasks } from '../../control/tasks/count-tasks.ts';
import { expectDomain } from '../../control/tasks/expect-domain.ts';
import { listTasks, readTaskRow } from '../../control/tasks/list-tasks.ts';
import { listTaskEvents, readTask } from '../../control/tasks/read-task.ts';
import { countRestartable, restartFailed } from '../../control/tasks/restart-failed.ts';
import { type SubmitReport, submitTask, submitTasks } from '../../control/tasks/submit-tasks.ts';
import { actorOf } from '../actor-of.ts';
import { readCursor, toPage, writeCursor } from '../cursor.ts';
import { hintOverHttp } from '../http-hints.ts';
import { Refusal } from '../refusal.ts';
import { type Route, route } from '../route.ts';
import { privateRuleOf, type ServerParts } from '../server-parts.ts';
import { readTaskItems } from '../task-items.ts';

const place = z.tuple([z.int().positive()]);
const MOST_ERRORS = 100;

/** How long a request may go on moving tasks, portion by portion. */
export const MOVE_MS = 20_000;

export function tasksRoutes(parts: ServerParts): Route[] {
  const { db, slowDb, config } = parts;
  const rules = () => ({ unknownDomains: config.unknownDomains, allowPrivate: privateRuleOf(parts) });
  const idOf = async (domain: string | undefined): Promise<number | undefined> =>
    domain === undefined ? undefined : (await findDomain(db, domain)).id;
  return [
    route(contract.submitTask, async (call) => {
      const task = await submitTask(db, call.body, rules(), actorOf(call));
      call.reply.header('location', `/api/admin/tasks/${task.id}`);
      return task;
    }),
    route(contract.submitTasks, async (call) => {
      const tasks = await readTaskItems(call.body.tasks, contract.MOST_REFUSED);
      const report = await submitTasks(db, { ...call.body, tasks }, rules(), actorOf(call));
      if (call.body.onError === 'refuse-all' && !report.problems.every(isPassedOver)) throw refuseAll(report);
      return showReport(report);
    }),
    route(contract.listTasks, async ({ query: { cursor, limit, order, domain, ...filter } }) => {
      const list = `tasks:${order}`;
      const [after] = readCursor(list, place, cursor) ?? [];
      const meant = { ...filter, domainId: await idOf(domain) };
      const { rows, lookedTo } = await listTasks(db, meant, order, after, limit + 1);
      const page = toPage(rows, limit, (last) => writeCursor(list, [last.id]));
      return lookedTo === undefined ? page : { ...page, nextCursor: writeCursor(list, [lookedTo]) };
    }),
    route(contract.taskStats, async ({ query: { domain, ...filter } }) =>
      countTasks(slowDb, { ...filter, domainId: await idOf(domain) }),
    ),
    route(contract.restartFailed, async (call) => {
      const { domain, limit, dryRun, ...filter } = call.body;
      if (filter.batchId !== undefined) await findBatch(db, filter.batchId);
      if (filter.domainId !== undefined) await expectDomain(db, filter.domainId);
      const meant = { ...filter, domainId: (await idOf(domain)) ?? filter.domainId };
      if (dryRun) return countRestartable(slowDb, meant, limit);
      return restartFailed(db, meant, limit, actorOf(call), { timeMs: MOVE_MS });
    }),
    route(contract.getTask, async ({ params }) => {
      const { waitsFor, ...task } = await readTask(db, params.id, config.maxConcurrentRequests);
      const told = waitsFor && { ...waitsFor, sentence: hintOverHttp(waitsFor.sentence) };
      return { ...task, waitsFor: told };
    }),
    route(contract.listTaskEvents, async ({ params: { id }, query: { cursor, limit } }) => {
      await readTaskRow(db, id);
      const list = `task-events:${id}`;
      const [before] = readCursor(list, place, cursor) ?? [];
      const rows = await listTaskEvents(db, id, before, limit + 1);
      const page = toPage(rows, limit, (last) => writeCursor(list, [last.id]));
      return { ...page, items: page.items.map(({ id: _id, ...shown }) => shown) };
    }),
    route(contract.updateTask, (call) => changeTask(db, call.params.id, call.body, actorOf(call))),
    route(contract.setTaskPriority, (call) =>
      changePriority(db, call.params.id, call.body.priority, actorOf(call)),
    ),
    route(contract.pauseTask, (call) => actOnTask(db, call.params.id, 'pause', actorOf(call))),
    route(contract.resumeTask, (call) => actOnTask(db, call.params.id, 'resume', actorOf(call))),
    route(contract.cancelTask, (call) => actOnTask(db, call.params.id, 'cancel', actorOf(call))),
    route(contract.restartTask, (call) => actOnTask(db, call.params.id, 'restart', actorOf(call), call.body)),
    route(contract.restartParsing, (call) =>
      actOnTask(db, call.params.id, 'restart-parsing', actorOf(call), call.body),
    ),
  ];
}

function showReport({ problems, ...report }: SubmitReport) {
  return {
    ...report,
    refusedCount: problems.length,
    duplicateCount: problems.filter(({ code }) => code === 'duplicate-task').length,
    inBatchCount: problems.filter(isPassedOver).length,
    refused: problems.slice(0, contract.MOST_REFUSED),
  };
}

function refuseAll({ problems: all, ids }: SubmitReport): Refusal {
  const problems = all.filter((problem) => !isPassedOver(problem));
  const errors = problems
    .slice(0, MOST_ERRORS)
    .map(({ index, code, reason }) => ({ path: `body.tasks.${index}`, message: `${code}: ${reason}` }));
  return new Refusal(
    'tasks-refused',
    `${problems.length} of ${ids.length} tasks cannot be taken, so none was.`,
    { hint: 'correct them, or send onError: "skip" to have the others taken', errors },
  );
}
