import pg from 'pg';
import type { Config } from './config.ts';
import { messageOf, translateDatabaseError } from './database-errors.ts';
import { arriveAtServer } from './embedded/embedded-server.ts';
import { PlatformError } from './errors.ts';
import { resultTypes } from './result-types.ts';

/** A statement with a name is parsed and planned once per connection: for the hot ones. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export interface Rows<R> {
  readonly rows: R[];
  readonly rowCount: number;
}

export interface Queryable {
  query<R extends object = Record<string, unknown>>(
    statement: string | Statement,
    values?: readonly unknown[],
  ): Promise<Rows<R>>;
}

/**
 * The truth. `query` reads: sessions are read-only by default and the server refuses anything else. What writes
 * goes through `inTransaction`.
 */
export interface Database extends Queryable {
  readonly kind: 'embedded' | 'external';
  /** Complete with password: for handing on, never for showing (see redactUrl). */
  readonly url: string;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseConfig extends Pick<Config, 'dataDir' | 'databaseUrl' | 'databasePoolSize'> {
  /** A statement that takes longer is broken off by the server; left out: none is. */
  readonly statementTimeoutMs?: number;
}

const oldestServer = 150_000;

/** Opens the database of the settings: the server of DATABASE_URL, or the embedded one of the data directory. */
export async function openDatabase(config: DatabaseConfig): Promise<Database> {
  if (config.databaseUrl !== undefined) return openExternal(config.databaseUrl, config);
  return openEmbedded(config.dataDir, config);
}

export function prepared(name: string, text: string): Statement {
  return { name, text };
}

async function openEmbedded(dataDir: string, config: DatabaseConfig): Promise<Database> {
  const guest = await arriveAtServer(dataDir, (address) => {
    // After the server had to be brought back, new connections go to where it is now.
    Object.assign(pool.options, { host: address.host, port: address.port });
  });
  const { host, port, user, password, database } = guest.address();
  const pool: pg.Pool = createPool({ host, port, user, password, database }, guest.applicationName, config);
  return createDatabase('embedded', pool, {
    url: () => {
      const now = guest.address();
      return `postgres://${now.user}:${encodeURIComponent(now.password)}@${now.host}:${now.port}/${now.database}`;
    },
    afterClose: () => guest.leave(),
  });
}

async function openExternal(url: string, config: DatabaseConfig): Promise<Database> {
  const pool = createPool({ connectionString: url }, `forager ${process.pid}`, config);
  try {
    await checkServer(pool);
  } catch (error) {
    await pool.end().catch(() => undefined);
    throw error instanceof PlatformError ? error : describeUnreachable(url, error);
  }
  return createDatabase('external', pool, { url: () => url, afterClose: async () => undefined });
}

function createPool(
  server: pg.PoolConfig,
  applicationName: string,
  { databasePoolSize, statementTimeoutMs }: DatabaseConfig,
): pg.Pool {
  const pool = new pg.Pool({
    ...server,
    max: databasePoolSize,
    application_name: applicationName,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 15_000,
    keepAlive: true,
    allowExitOnIdle: true,
    types: resultTypes,
    onConnect: async (client) => {
      // A connection that breaks while it is lent out tells its user through the failing query; the event of
      // the same would otherwise end the process.
      client.on('error', () => undefined);
      const limit = statementTimeoutMs === undefined ? '' : `; set statement_timeout = ${statementTimeoutMs}`;
      await client.query(`set default_transaction_read_only = on; set timezone = 'UTC'${limit}`);
    },
  });
  // The same for an idle one: the pool drops it.
  pool.on('error', () => undefined);
  return pool;
}

interface Ends {
  url(): string;
  afterClose(): Promise<void>;
}

function createDatabase(kind: Database['kind'], pool: pg.Pool, ends: Ends): Database {
  let closing: Promise<void> | undefined;
  return {
    kind,
    pool,
    get url() {
      return ends.url();
    },
    query: (statement, values) => runQuery(pool, statement, values),
    close: () => {
      closing ??= pool.end().then(() => ends.afterClose());
      return closing;
    },
  };
}

/** The one place where a statement meets the driver. */
export async function runQuery<R extends object>(
  target: pg.Pool | pg.PoolClient,
  statement: string | Statement,
  values: readonly unknown[] = [],
): Promise<Rows<R>> {
  const config = typeof statement === 'string' ? { text: statement } : statement;
  try {
    const result = await target.query({ ...config, values: values as unknown[] });
    return { rows: result.rows as R[], rowCount: result.rowCount ?? 0 };
  } catch (error) {
    throw translateDatabaseError(error);
  }
}

async function checkServer(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ version: number; is_replica: boolean }>(
    "select current_setting('server_version_num')::int as version, pg_is_in_recovery() as is_replica",
  );
  const found = rows[0];
  if (found === undefined || found.version < oldestServer) {
    const version = Math.floor((found?.version ?? 0) / 10_000);
    throw new PlatformError(
      'server-too-old',
      `The server of DATABASE_URL is PostgreSQL ${version}; Forager needs 15 or newer.`,
      {
        hint: 'update that server, or unset DATABASE_URL to use the embedded database',
      },
    );
  }
  if (found.is_replica) {
    throw new PlatformError('server-read-only', 'The server of DATABASE_URL is a read-only replica.', {
      hint: 'set DATABASE_URL to the primary server',
    });
  }
}

function describeUnreachable(url: string, error: unknown): PlatformError {
  const { hostname, port, pathname, username } = new URL(url);
  const place = `host ${hostname || 'localhost'}, port ${port || 5432}, database "${decodeURIComponent(pathname.slice(1)) || username}"`;
  return new PlatformError(
    'database-unreachable',
    `The database of DATABASE_URL cannot be reached (${place}): ${messageOf(error)}.`,
    {
      hint: 'see that the server runs and accepts this user, correct DATABASE_URL, or unset it to use the embedded database',
      cause: error,
    },
  );
}
