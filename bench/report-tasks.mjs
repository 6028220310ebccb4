/** What `--only tasks` has measured, for people. */
import { alignTable, bold, count, dim, listRatios, milliseconds } from './report-text.mjs';

export function renderTasks({ isQuick, throughput, queue, growth }) {
  const parts = [renderThroughput(throughput), renderQueue(queue), renderGrowth(growth)];
  if (isQuick) parts.push('! Small numbers (--quick): these figures say little.');
  return parts.join('\n\n');
}

function renderThroughput(figures) {
  const rows = [
    ['through PostgreSQL', figures.postgres],
    ['through RabbitMQ', figures.rabbitmq],
  ];
  const three = (run, name) =>
    [50, 95, 99].map((percent) => count(run[`${name}Percentile${percent}Ms`])).join(' / ');
  const table = [
    [
      '',
      'tasks/s',
      'all: 50th / 95th / 99th',
      'alone: 50th / 95th / 99th',
      'CPU-s/1000',
      'database',
      'broker',
    ],
    ...rows.map(([name, run]) => [
      name,
      count(run.tasksPerSecond),
      `${three(run, 'bulk')} ms`,
      `${three(run, 'alone')} ms`,
      run.cpuSecondsPer1000.toFixed(2),
      run.databaseCpuSecondsPer1000.toFixed(2),
      run.brokerCpuSecondsPer1000.toFixed(2),
    ]),
  ];
  const notes = rows
    .filter(([, run]) => run.fetchesTooMany > 0)
    .map(([name, run]) => `! ${name}: ${run.fetchesTooMany} pages were fetched once too often`);
  return [
    bold(
      `Tasks: ${count(figures.tasks)} in one call, over ${figures.hosts} hosts without delay, one scheduler and ${figures.workers} workers`,
    ),
    alignTable(table),
    ...notes,
    `RabbitMQ reaches ${figures.ratio.toFixed(2)} × PostgreSQL.`,
    dim(
      `From being handed in to being completed: all at once, and one at a time. Medians of ${figures.turns} turns.`,
    ),
  ].join('\n');
}

function renderQueue({ orders, turns, domains, lot, queueMs, takeMs, steps }) {
  return [
    bold(
      `Queue: ${count(orders)} tasks of ${domains} domains, and as many jobs of pg-boss, in lots of ${lot}`,
    ),
    alignTable([
      ['', 'tasks/s', 'pg-boss/s', '× pg-boss'],
      ...steps.map(({ title, perSecond, peerPerSecond, ratio, ratios }) => [
        title,
        count(perSecond),
        count(peerPerSecond),
        listRatios(ratio, ratios),
      ]),
    ]),
    `Of the claim: ${milliseconds(queueMs)} for queueing by the scheduler, ${milliseconds(takeMs)} for leases and taking.`,
    dim(`Medians of ${turns} turns.`),
  ].join('\n');
}

const SITUATIONS = {
  mixed: 'half wait for their time, half are queued',
  due: 'all are due, none is queued yet',
};

function renderGrowth({ sizes, portion, lot, rounds, steps }) {
  const [small, large] = sizes.map(({ waiting }) => count(waiting));
  const tables = Object.entries(SITUATIONS).map(([kind, situation]) =>
    [
      `  ${situation}:`,
      alignTable([
        ['', 'times', `${small}: median`, '95th', `${large}: median`, '95th', 'large / small'],
        ...steps
          .filter((step) => step.kind === kind)
          .map((step) => [
            step.step,
            String(step.small.times),
            ...[step.small, step.large].flatMap(({ medianMs, percentile95Ms }) => [
              milliseconds(medianMs),
              milliseconds(percentile95Ms),
            ]),
            step.ratio.toFixed(2),
          ]),
      ]),
    ].join('\n'),
  );
  return [
    bold(
      `Waiting tasks: ${small} against ${large}; ${count(portion)} handed in and queued at a time, ${lot} taken`,
    ),
    ...tables,
    dim(`${rounds} rounds on each, in turns.`),
  ].join('\n');
}
