/** Everything in one process: the server, a scheduler, a worker, and, if wanted, a small web to crawl. */
import { EngineEvents } from '../engine/events.ts';
import { announce } from './announce.ts';
import { type CommandContext, withDatabase } from './context.ts';
import { startProgress } from './crawl-progress.ts';
import { type DemoRole, openDemoRole, seedDemo } from './demo-role.ts';
import { endOnDefects } from './end-on-defects.ts';
import { drainMs } from './fleet-role.ts';
import { logEngineEvents } from './log-engine-events.ts';
import { SchedulerRole } from './scheduler-role.ts';
import { type RunningServer, startServer } from './serve.ts';
import { openServerLog, type ServerLog } from './server-log.ts';
import { hearStopSignals, type StopSignals } from './stop-signals.ts';
import type { UpOptions } from './up-command.ts';
import { WorkerRole } from './worker-role.ts';

export async function runUp(options: UpOptions, context: CommandContext): Promise<void> {
  const log = openServerLog(context);
  const signals = hearStopSignals((signal) => {
    if (isWatched(context)) context.err.write(`  ${signal}: ending; once more stops at once\n`);
  }, drainMs(context.config));
  const forget = endOnDefects(log);
  let demo: DemoRole | undefined;
  let server: RunningServer | undefined;
  const roles: (WorkerRole | SchedulerRole)[] = [];
  try {
    demo = options.demo === true ? await openDemoRole() : undefined;
    server = await startServer(context.config, log, {
      troubles: () => roles.map(({ trouble }) => trouble).filter((trouble) => trouble !== undefined),
      privateOrigins: demo?.origins,
    });
    await work({ options, context, log, signals, demo, server }, roles);
  } finally {
    await server?.close();
    await demo?.web.close();
    forget();
    signals.unhook();
  }
  if (context.isJson) context.printJson({ event: 'stopped' });
  else context.printLine('Stopped; every domain was given back.');
}

interface Shop {
  readonly options: UpOptions;
  readonly context: CommandContext;
  readonly log: ServerLog;
  readonly signals: StopSignals;
  readonly demo: DemoRole | undefined;
  readonly server: RunningServer;
}

/** Until it is asked to stop; the server still answers while the worker finishes. */
async function work(
  { options, context, log, signals, demo, server }: Shop,
  roles: (WorkerRole | SchedulerRole)[],
): Promise<void> {
  const { config } = context;
  await withDatabase(config, async (db) => {
    if (demo !== undefined) await seedDemo(db, demo.web);
    const events = new EngineEvents();
    const order = { db, config, events, scope: options.scope, mayReach: demo?.mayReach };
    const worker = new WorkerRole(order, server.log);
    const scheduler = new SchedulerRole({ db, config, log: server.log });
    roles.push(worker, scheduler);
    announce(context, {
      what: demo === undefined ? 'API, scheduler and worker' : 'API, scheduler, worker and a demo web',
      server,
      // Its data lies elsewhere than that of other commands: they have to be told.
      more:
        demo === undefined
          ? []
          : [
              ['Demo web', demo.web.url],
              ['Commands', context.suggest('…')],
            ],
    });
    // What nobody watches goes into the log instead.
    if (!isWatched(context)) logEngineEvents(events, server.log);
    const progress = isWatched(context)
      ? startProgress({
          ...{ context, events },
          crawl: {
            pagesBefore: 0,
            get worker() {
              return worker.worker;
            },
          },
        })
      : undefined;
    if (progress !== undefined) log.showThrough((text) => progress.note(text));
    signals.whenGraceIsOver(() => worker.callOff());
    signals.whenAsked((signal) => {
      progress?.note(`${signal}: finishing what is in flight; once more stops at once`);
      server.log.info({ signal }, 'stopping');
      worker.stop();
      scheduler.stop();
    });
    try {
      await Promise.all([worker.run(), scheduler.run()]);
    } finally {
      progress?.stop();
      log.showThrough((text) => context.err.write(`  ${text}\n`));
    }
  });
}

/** A person looks at it. */
function isWatched({ err, isJson }: CommandContext): boolean {
  return err.isInteractive && !isJson;
}
