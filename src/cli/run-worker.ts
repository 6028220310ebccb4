/** Runs a worker of the fleet, shows what it does, and tells how it ended. */
import { EngineEvents } from '../engine/events.ts';
import { monotonicMs } from '../platform/clock.ts';
import { type CommandContext, withDatabase } from './context.ts';
import { startProgress } from './crawl-progress.ts';
import { UsageError } from './exit.ts';
import { drainMs, openFleetRole } from './fleet-role.ts';
import { formatCount, formatDuration, formatRate } from './format.ts';
import { hearStopSignals } from './stop-signals.ts';
import type { WorkerOptions } from './worker-command.ts';

const PLAIN_EVERY_MS = 60_000;

interface Tally {
  pages: number;
  fetches: number;
  domains: number;
}

export async function runWorker(options: WorkerOptions, context: CommandContext): Promise<void> {
  const { config, err, isJson } = context;
  if (options.crawlOnly === true && !config.keepBodies) {
    throw new UsageError(
      '--crawl-only leaves parsing to others, which need the bodies; FORAGER_KEEP_BODIES is false.',
      'set FORAGER_KEEP_BODIES=true, or leave out --crawl-only',
    );
  }
  // What is in flight is let finish; it has a timeout of its own.
  const signals = hearStopSignals((signal) => {
    if (!isJson) err.write(`${signal}: ending; once more stops at once\n`);
  }, drainMs(config));
  const startedMs = monotonicMs();
  const tally: Tally = { pages: 0, fetches: 0, domains: 0 };
  await withDatabase(config, async (db) => {
    const events = new EngineEvents();
    countInto(tally, events);
    const role = await openFleetRole({
      ...{ db, config, events, scope: options.scope },
      ...{ id: options.id, untilIdle: options.untilIdle === true, isCrawlOnly: options.crawlOnly === true },
      warn: (sentence) => progress.note(sentence),
    });
    const { fleet, workerId } = role;
    const progress = startProgress({
      ...{ context, events, plainEveryMs: PLAIN_EVERY_MS },
      crawl: {
        pagesBefore: 0,
        get worker() {
          return fleet.worker;
        },
      },
    });
    let isGreeted = false;
    events.on('worker:started', () => {
      if (!isGreeted) progress.note(`worker ${workerId} at work; Ctrl-C gives its domains back and ends it`);
      isGreeted = true;
    });
    if (options.id !== undefined && workerId !== options.id) {
      progress.note('ENABLE_CLAIM_PROTOCOL is off: nobody registers, so the name given by --id is not used');
    }
    signals.whenGraceIsOver(() => role.callOff());
    signals.whenAsked((signal) => {
      progress.note(`${signal}: finishing what is in flight; once more stops at once`);
      role.stop();
    });
    try {
      const reason = await role.run();
      progress.stop();
      tell(context, { workerId, reason, ...tally, seconds: (monotonicMs() - startedMs) / 1000 });
    } finally {
      progress.stop();
      await role.close();
    }
  }).finally(() => signals.unhook());
}

function countInto(tally: Tally, events: EngineEvents): void {
  events.on('domain:released', () => {
    tally.domains += 1;
  });
  events.on('url:visited', ({ isPage }) => {
    tally.fetches += 1;
    if (isPage) tally.pages += 1;
  });
}

interface WorkerEnd extends Tally {
  readonly workerId: string;
  readonly reason: 'stopped' | 'idle';
  readonly seconds: number;
}

function tell(context: CommandContext, end: WorkerEnd): void {
  if (context.isJson) {
    context.printJson(end);
    return;
  }
  const why = end.reason === 'idle' ? 'Nothing is left to do.' : 'Stopped; every domain was given back.';
  const rate = formatRate(end.pages / Math.max(end.seconds, 0.001));
  context.printLine(
    `${why} ${formatCount(end.pages)} pages in ${formatDuration(end.seconds * 1000)} (${rate}/s), ` +
      `${formatCount(end.domains)} leases.`,
  );
}
