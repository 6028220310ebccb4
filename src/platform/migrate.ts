import type pg from 'pg';
import type { Database } from './database.ts';
import { messageOf, translateDatabaseError } from './database-errors.ts';
import { errorCode, PlatformError } from './errors.ts';
import { type Migration, readMigrations } from './migration-files.ts';

export interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
  readonly appliedAt: Date;
}

export interface MigrationStatus {
  readonly applied: readonly AppliedMigration[];
  readonly pending: readonly Migration[];
  /** What keeps this program from working with this schema, one sentence each. */
  readonly problems: readonly PlatformError[];
}

type Source = Pick<Database, 'pool'>;

/** Any number, as long as nothing else in the database uses it: it spells "forager". */
const lockKey = '28825252810024306';

const createRecord = `
create table if not exists schema_migrations (
  version integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
)`;

/** Brings the schema to what this program needs and returns what was done. Safe from any number of processes. */
export async function migrateUp(db: Source, migrations?: readonly Migration[]): Promise<Migration[]> {
  const known = migrations ?? (await readMigrations());
  return underMigrationLock(db, async (client) => {
    await client.query(createRecord);
    const applied = await readApplied(client);
    refuseProblems(findProblems(known, applied));
    const pending = findPending(known, applied);
    for (const migration of pending) {
      await runStep(client, migration, 'up', async () => {
        await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
          migration.version,
          migration.name,
          migration.checksum,
        ]);
      });
    }
    return pending;
  });
}

/** Takes back the last `steps` migrations, newest first, and returns them. */
export async function migrateDown(
  db: Source,
  steps: number,
  migrations?: readonly Migration[],
): Promise<Migration[]> {
  const known = migrations ?? (await readMigrations());
  return underMigrationLock(db, async (client) => {
    const applied = await readApplied(client);
    refuseProblems(findProblems(known, applied));
    const appliedVersions = new Set(applied.map((migration) => migration.version));
    const undone = known
      .filter(({ version }) => appliedVersions.has(version))
      .reverse()
      .slice(0, steps);
    for (const migration of undone) {
      await runStep(client, migration, 'down', async () => {
        await client.query('delete from schema_migrations where version = $1', [migration.version]);
      });
    }
    // Nothing left of the schema: leave nothing of the record either.
    if (undone.length > 0 && undone.length === applied.length)
      await client.query('drop table schema_migrations');
    return undone;
  });
}

/** Looks without changing anything. */
export async function migrationStatus(
  db: Source,
  migrations?: readonly Migration[],
): Promise<MigrationStatus> {
  const known = migrations ?? (await readMigrations());
  const client = await db.pool.connect();
  try {
    const applied = await readApplied(client);
    return { applied, pending: findPending(known, applied), problems: findProblems(known, applied) };
  } catch (error) {
    throw translateDatabaseError(error);
  } finally {
    client.release();
  }
}

async function underMigrationLock<T>(db: Source, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await db.pool.connect().catch((error: unknown) => {
    throw translateDatabaseError(error);
  });
  try {
    await client.query(`set default_transaction_read_only = off`);
    await client.query(`select pg_advisory_lock(${lockKey})`);
    return await work(client);
  } catch (error) {
    throw translateDatabaseError(error);
  } finally {
    // Closed, not returned: lock and session settings end with the connection, whatever state it is in.
    client.release(true);
  }
}

/** The step and its record in one transaction: both or neither. */
async function runStep(
  client: pg.PoolClient,
  migration: Migration,
  way: 'up' | 'down',
  record: () => Promise<void>,
): Promise<void> {
  try {
    await client.query('begin');
    await client.query(migration[way]);
    await record();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    const translated = translateDatabaseError(error);
    if (translated !== error) throw translated;
    throw new PlatformError(
      'migration-failed',
      `Migration ${migration.version}_${migration.name}.${way}.sql failed and was undone: ${messageOf(error)}.`,
      {
        hint: 'the schema is as it was before; this is a defect of Forager or a change made to the schema by hand',
        cause: error,
      },
    );
  }
}

async function readApplied(client: pg.PoolClient): Promise<AppliedMigration[]> {
  try {
    const { rows } = await client.query<{
      version: number;
      name: string;
      checksum: string;
      applied_at: Date;
    }>('select version, name, checksum, applied_at from schema_migrations order by version');
    return rows.map(({ applied_at, ...row }) => ({ ...row, appliedAt: applied_at }));
  } catch (error) {
    // Undefined table: an empty database, or one that is not ours yet.
    if (errorCode(error) === '42P01') return [];
    throw error;
  }
}

function findPending(known: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const versions = new Set(applied.map((migration) => migration.version));
  return known.filter(({ version }) => !versions.has(version));
}

function findProblems(known: readonly Migration[], applied: readonly AppliedMigration[]): PlatformError[] {
  const byVersion = new Map(known.map((migration) => [migration.version, migration]));
  const newest = known.at(-1)?.version ?? 0;
  const problems: PlatformError[] = [];
  const ahead = applied.findLast(({ version }) => version > newest);
  if (ahead !== undefined) {
    problems.push(
      new PlatformError(
        'schema-newer',
        `The database has the schema of a newer Forager (${ahead.version}_${ahead.name}; this program knows up to ${newest}).`,
        { hint: 'update Forager, or use another database' },
      ),
    );
  }
  for (const migration of applied) {
    const file = byVersion.get(migration.version);
    if (file === undefined || file.checksum === migration.checksum) continue;
    problems.push(
      new PlatformError(
        'migration-changed',
        `Migration ${migration.version}_${migration.name} was changed after this database had run it.`,
        {
          hint: 'restore the file as it was and put the change into a new migration, or begin with a new database',
        },
      ),
    );
  }
  return problems;
}

function refuseProblems(problems: readonly PlatformError[]): void {
  const [first] = problems;
  if (first !== undefined) throw first;
}
