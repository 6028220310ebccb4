import { ConnectionLost, DiskFull, errorCode, ForagerError, PlatformError } from './errors.ts';

/** SQLSTATEs and system codes that mean: this connection is gone, another one may work. */
const lostConnection = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTCONN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  '57P01', // admin shutdown
  '57P02', // crash shutdown
  '57P03', // cannot connect now: starting up or shutting down
  '25P03', // a transaction in which nothing happened for too long
]);

/** Gives what a query failed with a type that says what to do next; an error in the statement stays as it is. */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof ForagerError) return error;
  if (isConnectionLoss(error)) {
    return new ConnectionLost(`The connection to the database broke: ${messageOf(error)}.`, {
      hint: 'see whether the database server is running; nothing that was committed is lost, run the command again',
      cause: error,
    });
  }
  switch (errorCode(error)) {
    case '53100':
      return new DiskFull(`The database has no space left on its disk: ${messageOf(error)}.`, {
        hint: 'free some space there; nothing that was committed is lost, run the command again to go on',
        cause: error,
      });
    case '53300':
      return new PlatformError('too-many-connections', 'The database accepts no more connections.', {
        hint: 'raise max_connections of the server, or lower FORAGER_DATABASE_POOL_SIZE',
        cause: error,
      });
    case '42501':
      return new PlatformError(
        'database-forbids',
        `The database does not let this user do what Forager needs: ${messageOf(error)}.`,
        {
          hint: 'make the user of DATABASE_URL the owner of the database or of its schema public',
          cause: error,
        },
      );
    case '25006':
      // Our sessions are read-only outside inTransaction, so that no write can slip past one.
      return new Error('A statement that writes was run outside a transaction: use inTransaction.', {
        cause: error,
      });
    default:
      return error;
  }
}

/** Two transactions got in each other's way; doing it again is all it takes. */
export function isWorthRetrying(error: unknown): boolean {
  const code = errorCode(error);
  return code === '40001' || code === '40P01';
}

export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  const code = errorCode(error);
  if (code !== undefined && (lostConnection.has(code) || code.startsWith('08'))) return true;
  // The driver reports a socket that closed under it without a code.
  return (
    code === undefined &&
    /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/.test(
      messageOf(error),
    )
  );
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/[.\s]+$/, '');
}
