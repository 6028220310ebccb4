/** TCP to the first of several addresses that answers. */
import { connect as connectTcp, type Socket } from 'node:net';
import { describeShortage, errorCode, type FetchFailure, fail, isShortage } from './fetch-failure.ts';
import { calledOff, ignore, type OpenAttempt, type OpenedSocket, type Target } from './socket-opening.ts';

/** RFC 8305 §5: how long one address may keep the next from being tried. */
const NEXT_ADDRESS_MS = 250;

/** Starts the next address when one fails or dawdles; the first to connect wins and the others are dropped. */
export function connectFirst(
  addresses: readonly string[],
  target: Target,
  connectTimeoutMs: number,
  attempt: OpenAttempt,
): Promise<OpenedSocket> {
  return new Promise((resolve) => {
    const pending = new Set<Socket>();
    let nextIndex = 0;
    let firstError: FetchFailure | undefined;
    /** As long as one address was never asked, nobody can say that the site is not there. */
    let shortage: FetchFailure | undefined;
    let staggerTimer: NodeJS.Timeout | undefined;
    const overallTimer = setTimeout(() => {
      const message = `${target.hostname}:${target.port} did not accept a connection in ${connectTimeoutMs} ms.`;
      finish({ kind: 'failed', failure: shortage ?? fail('connect-timeout', message) });
    }, connectTimeoutMs);

    function finish(outcome: OpenedSocket): void {
      clearTimeout(overallTimer);
      clearTimeout(staggerTimer);
      attempt.onCancel = ignore;
      for (const socket of pending) {
        socket.removeAllListeners();
        socket.on('error', ignore);
        socket.destroy();
      }
      resolve(outcome);
    }

    function tryNext(): void {
      clearTimeout(staggerTimer);
      const address = addresses[nextIndex++];
      if (address === undefined) {
        const failure = shortage ?? firstError ?? describeConnectError('', target);
        if (pending.size === 0) finish({ kind: 'failed', failure });
        return;
      }
      const socket = connectTcp({ host: address, port: target.port, noDelay: true, keepAlive: true });
      pending.add(socket);
      socket.once('connect', () => {
        pending.delete(socket);
        socket.removeAllListeners('error');
        finish({ kind: 'open', socket, address });
      });
      socket.once('error', (error) => {
        pending.delete(socket);
        const code = errorCode(error);
        if (isShortage(code, address)) shortage ??= describeShortage(code);
        else firstError ??= describeConnectError(code, target);
        tryNext();
      });
      if (nextIndex < addresses.length) staggerTimer = setTimeout(tryNext, NEXT_ADDRESS_MS);
    }

    attempt.onCancel = () => finish(calledOff());
    tryNext();
  });
}

function describeConnectError(code: string, target: Target): FetchFailure {
  const where = `${target.hostname}:${target.port}`;
  if (code === 'ECONNREFUSED') return fail('connect-refused', `${where} refuses connections.`);
  if (code === 'ETIMEDOUT') return fail('connect-timeout', `${where} did not accept a connection.`);
  return fail('connect-failed', `${where} cannot be reached (${code || 'no address'}).`);
}
