/** The server as a process has it: databases, parts, listening, and an end that lets what is under way finish. */
import { isIP } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { openParts } from '../api/open-parts.ts';
import { createServer, type LogOptions } from '../api/server.ts';
import type { Ground } from '../api/server-parts.ts';
import { ensureFirstAdmin, type FirstAdmin } from '../control/access/first-admin.ts';
import type { Config } from '../platform/config.ts';
import { openDatabase } from '../platform/database.ts';
import { errorCode, PlatformError } from '../platform/errors.ts';
import { migrateUp } from '../platform/migrate.ts';

/** Nobody waits longer for an answer; a question that needs more is the wrong one. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** For finding out who asks, which takes a moment: nobody who keeps all others busy is in its way. */
const AUTH_CONNECTIONS = 3;
/** For jobs and upkeep, which come one after the other. */
const SLOW_CONNECTIONS = 4;
/** What requests under way are given when the server stops. */
const GRACE_MS = 10_000;
const SWEEP_MS = 50;

export interface RunningServer {
  /** Where people reach it. */
  readonly url: string;
  /** Only the first time, and only here: it is kept nowhere. */
  readonly firstAdmin: FirstAdmin | undefined;
  readonly log: FastifyBaseLogger;
  /** Takes nothing new, ends streams at once and lets requests finish, for a while. */
  close(): Promise<void>;
}

export async function startServer(
  config: Config,
  log: LogOptions,
  surroundings: Pick<Ground, 'troubles' | 'privateOrigins'> = {},
): Promise<RunningServer> {
  const closers: (() => Promise<unknown>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const slowDb = await openDatabase({ ...config, databasePoolSize: SLOW_CONNECTIONS });
    closers.push(() => slowDb.close());
    await migrateUp(slowDb);
    const db = await openDatabase({ ...config, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
    closers.push(() => db.close());
    const authDb = await openDatabase({
      ...{ ...config, databasePoolSize: AUTH_CONNECTIONS, statementTimeoutMs: STATEMENT_TIMEOUT_MS },
    });
    closers.push(() => authDb.close());
    let app: FastifyInstance | undefined;
    const warn = (sentence: string, error?: unknown): void => app?.log.warn({ err: error }, sentence);
    const parts = await openParts({ config, db, authDb, slowDb, warn, ...surroundings });
    closers.push(() => parts.close());
    const server = await createServer(parts, log);
    app = server;
    closers.push(() => closeGently(server));
    await listen(server, config);
    // Not before it listens: a password that nobody got to see would be lost.
    const firstAdmin = await ensureFirstAdmin(slowDb);
    warnOfOpenness(server.log, config);
    return { url: addressOf(server, config), firstAdmin, log: server.log, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function closeGently(app: FastifyInstance): Promise<void> {
  // Connections whose last request was answered meanwhile would be kept for the next one.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  const timer = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(timer);
  }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    // By that name the framework would open a second server on ::1, which none of the limits are set on.
    await app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port });
  } catch (error) {
    throw describeListenError(error, host, port);
  }
}

function describeListenError(error: unknown, host: string, port: number): unknown {
  const code = errorCode(error);
  if (code === 'EADDRINUSE') {
    return new PlatformError(
      'port-taken',
      `Port ${port} of ${host} is taken: something listens there already.`,
      {
        hint: 'stop that, or choose another port with --port or FORAGER_PORT (0 takes a free one)',
        cause: error,
      },
    );
  }
  if (code === 'EACCES') {
    return new PlatformError('port-refused', `This user may not listen on port ${port} of ${host}.`, {
      hint: 'choose a port above 1023 with --port or FORAGER_PORT',
      cause: error,
    });
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new PlatformError('bad-host', `${host} is no address of this machine.`, {
      hint: 'correct --host or FORAGER_HOST: 127.0.0.1 for this machine only, 0.0.0.0 for all its addresses',
      cause: error,
    });
  }
  return error;
}

function addressOf(app: FastifyInstance, { host, publicUrl }: Config): string {
  if (publicUrl !== undefined) return new URL(publicUrl).origin;
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Passwords and keys would go over the network for everybody to read. */
function warnOfOpenness(log: FastifyBaseLogger, config: Config): void {
  const sentence = describeOpenness(config);
  if (sentence !== undefined) log.warn({ host: config.host }, sentence);
}

function describeOpenness({ host, publicUrl }: Config): string | undefined {
  const isLoopback = host === 'localhost' || host === '::1' || /^127\./.test(host);
  if (isLoopback || publicUrl?.startsWith('https:') === true) return undefined;
  return (
    `Listening on ${host} without https: whoever is on the network can read passwords and keys. Put a proxy that ` +
    'speaks https before it and set FORAGER_PUBLIC_URL to its address.'
  );
}
