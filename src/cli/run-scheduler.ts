/** Runs a scheduler of the fleet until it is told to stop. A database that is away is waited for from the start. */
import { Signal } from '../engine/signal.ts';
import { type Database, openDatabase } from '../platform/database.ts';
import { ConnectionLost, errorCode } from '../platform/errors.ts';
import { migrateUp } from '../platform/migrate.ts';
import type { CommandContext } from './context.ts';
import { EXIT_INTERRUPTED } from './exit.ts';
import { openRoleLog } from './role-log.ts';
import { SchedulerRole } from './scheduler-role.ts';
import { hearStopSignals } from './stop-signals.ts';

/** For the tick and the deliveries under way; whatever is not committed then is simply still due. */
const GRACE_MS = 20_000;
const WAITS_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];

export async function runScheduler(context: CommandContext): Promise<void> {
  const { config, isJson } = context;
  const log = openRoleLog(context);
  const change = new Signal();
  let isStopping = false;
  let role: SchedulerRole | undefined;
  const signals = hearStopSignals(() => undefined, GRACE_MS);
  signals.whenAsked((signal) => {
    log.info({ signal }, 'stopping; once more stops at once');
    isStopping = true;
    role?.stop();
    change.raise();
  });
  signals.whenGraceIsOver(() => process.exit(EXIT_INTERRUPTED));
  try {
    const db = await openPatiently();
    if (db !== undefined) {
      try {
        role = new SchedulerRole({ db, config, log });
        if (isJson) context.printJson({ event: 'started', id: role.id });
        if (isStopping) role.stop();
        await role.run();
      } finally {
        await db.close();
      }
    }
  } finally {
    signals.unhook();
  }
  if (isJson) context.printJson({ event: 'stopped' });
  else context.printLine('Stopped.');

  /** Undefined: it was told to stop before the database was there. */
  async function openPatiently(): Promise<Database | undefined> {
    for (let attempt = 0; !isStopping; attempt += 1) {
      try {
        return await openMigrated();
      } catch (error) {
        if (!isAway(error)) throw error;
        const pauseMs = WAITS_MS[attempt] ?? WAITS_MS.at(-1) ?? 0;
        log.warn({ err: error, pauseMs }, 'the database is away; trying again');
        if (!isStopping) await change.wait(pauseMs);
      }
    }
    return undefined;
  }

  async function openMigrated(): Promise<Database> {
    const db = await openDatabase(config);
    try {
      await migrateUp(db);
      return db;
    } catch (error) {
      await db.close();
      throw error;
    }
  }
}

function isAway(error: unknown): boolean {
  return error instanceof ConnectionLost || errorCode(error) === 'database-unreachable';
}
