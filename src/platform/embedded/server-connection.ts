import pg from 'pg';
import { messageOf, translateDatabaseError } from '../database-errors.ts';
import { ForagerError, PlatformError } from '../errors.ts';

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** The driver can let go of the event loop; its type declarations do not say so. */
export type Connection = pg.Client & { ref(): void; unref(): void };

export async function connectToServer(
  address: ServerAddress,
  database: string,
  applicationName: string,
): Promise<Connection> {
  const client = new pg.Client({ ...address, database, application_name: applicationName, keepAlive: true });
  try {
    await client.connect();
  } catch (error) {
    const translated = translateDatabaseError(error);
    if (translated instanceof ForagerError) throw translated;
    throw new PlatformError(
      'server-refused',
      `The embedded database at port ${address.port} refused the connection: ${messageOf(error)}.`,
      {
        hint: 'see that the file postgres/password in the data directory is the one that was made with the database',
        cause: error,
      },
    );
  }
  return client as Connection;
}

/** Makes sure that it is our server that answers, and that our database is in it. */
export async function ensureDatabase(
  address: ServerAddress,
  applicationName: string,
  clusterDir: string,
): Promise<void> {
  const client = await connectToServer(address, 'postgres', applicationName);
  try {
    await checkIdentity(client, clusterDir);
    const known = await client.query('select from pg_database where datname = $1', [address.database]);
    if (known.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(address.database)}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Another server could answer at that port only by a strange accident, but writing to it would be worse. */
async function checkIdentity(client: Connection, clusterDir: string): Promise<void> {
  const result = await client.query<{ data_directory: string }>('show data_directory');
  const found = result.rows[0]?.data_directory;
  if (found === clusterDir) return;
  throw new PlatformError('wrong-server', `The server that answers serves ${found}, not ${clusterDir}.`, {
    hint: 'stop the other PostgreSQL server, then run the command again',
  });
}
