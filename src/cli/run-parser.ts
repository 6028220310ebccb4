/** `forager worker --parse-only`: parses what others have fetched, until it is told to stop. */
import { EngineEvents } from '../engine/events.ts';
import { FleetParser } from '../engine/parsing/fleet-parser.ts';
import { monotonicMs } from '../platform/clock.ts';
import { type CommandContext, withDatabase } from './context.ts';
import { chooseWorkerId, drainMs, type FleetOrder, openParser } from './fleet-role.ts';
import { formatCount, formatDuration, formatRate, printable } from './format.ts';
import { hearHints } from './hear-hints.ts';
import { hearStopSignals } from './stop-signals.ts';
import { openWantedParsers } from './wanted-parsers.ts';
import type { WorkerOptions } from './worker-command.ts';

const TOLD_EVERY_MS = 60_000;

interface Tally {
  parsed: number;
  retried: number;
  failed: number;
}

export async function runParser(options: WorkerOptions, context: CommandContext): Promise<void> {
  const { config, err, isJson } = context;
  const note = (text: string): void => {
    if (!isJson) err.write(`${printable(text)}\n`);
  };
  const signals = hearStopSignals(
    (signal) => note(`${signal}: ending; once more stops at once`),
    drainMs(config),
  );
  const startedMs = monotonicMs();
  const tally: Tally = { parsed: 0, retried: 0, failed: 0 };
  await withDatabase(config, async (db) => {
    const events = new EngineEvents();
    countInto(tally, events, note);
    const order: FleetOrder = { ...{ db, config, events, scope: options.scope, id: options.id }, warn: note };
    const workerId = chooseWorkerId(order);
    const parser = openParser(order, workerId, await openWantedParsers(config, note));
    const worker = new FleetParser({
      ...{ db, workerId, parser, events, isInFleet: config.enableClaimProtocol },
      untilIdle: options.untilIdle === true,
    });
    events.on('worker:started', () =>
      note(`parser ${workerId} at work; Ctrl-C gives back what it has and ends it`),
    );
    signals.whenAsked((signal) => {
      note(`${signal}: finishing what is in hand; once more stops at once`);
      worker.stop();
    });
    const hints = hearHints(order, { parse: () => parser.wake() });
    const timer = setInterval(() => note(`parsing: ${describe(tally)}`), TOLD_EVERY_MS);
    try {
      const reason = await worker.run();
      tell(context, { workerId, reason, ...tally, seconds: (monotonicMs() - startedMs) / 1000 });
    } finally {
      clearInterval(timer);
      await hints.close();
    }
  }).finally(() => signals.unhook());
}

function countInto(tally: Tally, events: EngineEvents, note: (text: string) => void): void {
  events.on('tasks:parsed', ({ completed, retried, failed }) => {
    tally.parsed += completed;
    tally.retried += retried;
    tally.failed += failed;
  });
  events.on('parser:failed', ({ message }) => note(`parsing failed: ${message}; trying again`));
}

function describe({ parsed, retried, failed }: Tally): string {
  const counted = [`${formatCount(parsed)} tasks parsed`];
  if (retried > 0) counted.push(`${formatCount(retried)} to be tried again`);
  if (failed > 0) counted.push(`${formatCount(failed)} failed`);
  return counted.join(', ');
}

interface ParserEnd extends Tally {
  readonly workerId: string;
  readonly reason: 'stopped' | 'idle';
  readonly seconds: number;
}

function tell(context: CommandContext, end: ParserEnd): void {
  if (context.isJson) {
    context.printJson(end);
    return;
  }
  const why =
    end.reason === 'idle' ? 'Nothing is left to parse.' : 'Stopped; what it had not begun was given back.';
  const rate = formatRate(end.parsed / Math.max(end.seconds, 0.001));
  context.printLine(`${why} ${describe(end)} in ${formatDuration(end.seconds * 1000)} (${rate}/s).`);
}
