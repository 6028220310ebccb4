/** Can the database be reached, is it a fit one, and is its schema what this program needs? */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../platform/config.ts';
import { type Database, openDatabase } from '../../platform/database.ts';
import { describeError, ForagerError } from '../../platform/errors.ts';
import { migrationStatus } from '../../platform/migrate.ts';
import { migrationsDirectory } from '../../platform/migration-files.ts';
import { redactUrl } from '../../platform/redact-url.ts';
import { dumpSchema } from '../../platform/schema-dump.ts';
import { type Check, ok, warning, wrong } from './check.ts';
import { readEmbeddedState } from './embedded-state.ts';
import { rephraseViews } from './rephrase-views.ts';
import { findDrift } from './schema-drift.ts';

const NAME = 'database';

/** Looks at the database, and if it can be opened lets `look` look further. */
export async function checkDatabase(
  config: Config,
  look: (db: Database) => Promise<Check[]>,
): Promise<Check[]> {
  try {
    if (config.databaseUrl === undefined) {
      const state = await readEmbeddedState(config.dataDir);
      // Looking must not make one: that is for the first crawl.
      if (state.kind === 'none') return [ok(NAME, 'embedded; the first crawl makes it')];
    }
    const db = await openDatabase(config);
    try {
      return [await describeServer(db), ...(await checkSchema(db)), ...(await look(db))];
    } finally {
      await db.close();
    }
  } catch (error) {
    if (error instanceof ForagerError) return [wrong(NAME, error.message, error.hint)];
    return [wrong(NAME, describeError(error))];
  }
}

async function describeServer(db: Database): Promise<Check> {
  const { rows } = await db.query<{ version: string; bytes: number }>(
    "select current_setting('server_version') as version, pg_database_size(current_database()) as bytes",
  );
  const { version = '?', bytes = 0 } = rows[0] ?? {};
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  const where = db.kind === 'embedded' ? 'embedded' : redactUrl(db.url);
  return ok(NAME, `PostgreSQL ${version} answers (${where}), ${size}`);
}

async function checkSchema(db: Database): Promise<Check[]> {
  const name = 'schema';
  const status = await migrationStatus(db);
  if (status.problems.length > 0)
    return status.problems.map((problem) => wrong(name, problem.message, problem.hint));
  if (status.pending.length > 0) {
    const names = status.pending.map((migration) => `${migration.version}_${migration.name}`).join(', ');
    return [
      warning(
        name,
        `not up to date, lacks ${names}`,
        'run "forager db migrate" (the next crawl does it too)',
      ),
    ];
  }
  return [ok(name, `up to date (migration ${status.applied.at(-1)?.version ?? 0})`), await checkDrift(db)];
}

async function checkDrift(db: Database): Promise<Check> {
  const name = 'schema drift';
  const expected = await readFile(path.join(migrationsDirectory, 'schema.sql'), 'utf8').catch(
    () => undefined,
  );
  if (expected === undefined) return warning(name, 'cannot be checked: migrations/schema.sql is not there');
  const drift = findDrift(await rephraseViews(db, expected), await dumpSchema(db));
  if (drift.missing.length === 0 && drift.added.length === 0)
    return ok(name, 'none: the schema is as it was made');
  const parts = [
    drift.missing.length > 0 ? `missing or changed: ${drift.missing.join('; ')}` : '',
    drift.added.length > 0 ? `added: ${drift.added.join('; ')}` : '',
  ];
  const message = parts.filter(Boolean).join('; ');
  const fix = 'undo what was changed by hand, or restore a backup';
  // A later server version may describe the same schema in other words; ours is the one the file was made with.
  return drift.missing.length > 0 && db.kind === 'embedded'
    ? wrong(name, message, fix)
    : warning(name, message, fix);
}
