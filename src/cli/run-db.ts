/** Runs `db migrate|status|rollback|stop`. */
import type { Command } from 'commander';
import { readEmbeddedState } from '../control/doctor/embedded-state.ts';
import { type Database, openDatabase } from '../platform/database.ts';
import { ForagerError } from '../platform/errors.ts';
import { type MigrationStatus, migrateDown, migrateUp, migrationStatus } from '../platform/migrate.ts';
import { type Migration, readMigrations } from '../platform/migration-files.ts';
import { redactUrl } from '../platform/redact-url.ts';
import { type CommandContext, makeContext } from './context.ts';
import { EXIT_FAILED, QuietExit } from './exit.ts';
import { printFields } from './field-list.ts';
import { formatMoment } from './moments.ts';

export async function migrate(command: Command): Promise<void> {
  const context = makeContext(command);
  const done = await withRawDatabase(context, (db) => migrateUp(db));
  if (context.isJson) context.printJson({ applied: done.map(nameOf) });
  else if (done.length === 0) context.printLine('The schema is up to date.');
  else for (const migration of done) context.printLine(`applied ${nameOf(migration)}`);
}

export async function rollBack(command: Command): Promise<void> {
  const context = makeContext(command);
  const { steps, dropData } = command.optsWithGlobals<{ steps: number; dropData?: true }>();
  const undone = await withRawDatabase(context, async (db) => {
    if (dropData !== true) await refuseToDropPages(db);
    return migrateDown(db, steps);
  });
  if (context.isJson) context.printJson({ undone: undone.map(nameOf) });
  else if (undone.length === 0) context.printLine('There is no migration to undo.');
  else for (const migration of undone) context.printLine(`undone ${nameOf(migration)}`);
}

/** A way back drops tables or columns; with pages in them somebody must have meant it. */
async function refuseToDropPages(db: Database): Promise<void> {
  const { rows } = await db.query<{ exists: boolean }>("select to_regclass('pages') is not null as exists");
  if (rows[0]?.exists !== true) return;
  const pages = await db.query('select from pages limit 1');
  if (pages.rowCount === 0) return;
  throw new ForagerError('rollback-drops-data', 'Rolling back would delete what was crawled.', {
    hint: 'make a backup first, then run it again with --drop-data',
  });
}

interface SchemaStatus extends MigrationStatus {
  readonly kind: 'embedded' | 'external';
  readonly url: string | null;
  readonly version: string | null;
}

export async function showSchemaStatus(command: Command): Promise<void> {
  const context = makeContext(command);
  const status = await readStatus(context);
  const isUpToDate = status.pending.length === 0 && status.problems.length === 0;
  if (context.isJson) {
    context.printJson({
      ...{ kind: status.kind, url: status.url, version: status.version, isUpToDate },
      applied: status.applied,
      pending: status.pending.map(nameOf),
      problems: status.problems.map(({ code, message, hint }) => ({ code, message, hint })),
    });
  } else printStatus(context, status, isUpToDate);
  if (!isUpToDate) throw new QuietExit(EXIT_FAILED);
}

async function readStatus(context: CommandContext): Promise<SchemaStatus> {
  const { config } = context;
  if (config.databaseUrl === undefined && (await readEmbeddedState(config.dataDir)).kind === 'none') {
    // Looking must not make one.
    const pending = await readMigrations();
    return { kind: 'embedded', url: null, version: null, applied: [], pending, problems: [] };
  }
  return withRawDatabase(context, async (db) => {
    const { rows } = await db.query<{ version: string }>(
      "select current_setting('server_version') as version",
    );
    const version = rows[0]?.version ?? null;
    return { kind: db.kind, url: redactUrl(db.url), version, ...(await migrationStatus(db)) };
  });
}

function printStatus(context: CommandContext, status: SchemaStatus, isUpToDate: boolean): void {
  const { style } = context.out;
  printFields(context, [
    ['database', status.kind === 'embedded' ? `embedded, in ${context.config.dataDir}` : status.url],
    [
      'server',
      status.version === null ? 'not made yet: the first crawl makes it' : `PostgreSQL ${status.version}`,
    ],
    ['schema', isUpToDate ? 'up to date' : 'not up to date'],
  ]);
  for (const { version, name, appliedAt } of status.applied) {
    context.printLine(
      `  ${style.green('✓')} ${nameOf({ version, name })}  applied ${formatMoment(appliedAt)}`,
    );
  }
  for (const migration of status.pending) {
    context.printLine(`  ${style.yellow('–')} ${nameOf(migration)}  not applied ("forager db migrate" does)`);
  }
  for (const { message, hint } of status.problems) {
    context.printLine(`  ${style.red('✗')} ${message}`);
    if (hint !== undefined) context.printLine(`    fix: ${hint}`);
  }
}

export async function stop(command: Command): Promise<void> {
  const context = makeContext(command);
  const { config } = context;
  if (config.databaseUrl !== undefined) {
    throw new ForagerError('not-embedded', "The server of DATABASE_URL is not Forager's to stop.", {
      hint: 'unset DATABASE_URL to speak of the embedded database',
    });
  }
  const before = await readEmbeddedState(config.dataDir);
  if (before.kind === 'running') {
    // Whoever leaves last turns off the light: arriving and leaving is all it takes.
    await (await openDatabase(config)).close();
  }
  const after = await readEmbeddedState(config.dataDir);
  if (context.isJson) context.printJson({ before: before.kind, after: after.kind });
  else if (before.kind !== 'running') context.printLine(`No embedded database runs in ${config.dataDir}.`);
  else if (after.kind !== 'running') context.printLine('The embedded database is stopped.');
  if (after.kind === 'running') {
    throw new ForagerError('database-in-use', 'The embedded database is in use and goes on running.', {
      hint: 'it stops by itself when the last Forager process that uses it ends',
    });
  }
}

/** Without bringing the schema up to date first: that is what these commands are about. */
async function withRawDatabase<T>(context: CommandContext, use: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(context.config);
  try {
    return await use(db);
  } finally {
    await db.close();
  }
}

function nameOf({ version, name }: Pick<Migration, 'version' | 'name'>): string {
  return `${String(version).padStart(4, '0')}_${name}`;
}
