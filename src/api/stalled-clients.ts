/**
 * Clients that ask and do not take the answer. Node hangs up on those that are silent altogether; those that go on
 * sending, or are sent live events, would have their answers kept for ever.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { monotonicMs } from '../platform/clock.ts';

interface Progress {
  readonly takenBytes: number;
  readonly sinceMs: number;
}

/** Hangs up on whoever has taken nothing of what waits for them for `stalledMs`. */
export function dropStalledClients(server: Server, checkEveryMs: number, stalledMs: number): void {
  const sockets = new Map<Socket, Progress>();
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, { takenBytes: 0, sinceMs: monotonicMs() });
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    const nowMs = monotonicMs();
    for (const [socket, last] of sockets) {
      const takenBytes = socket.bytesWritten - socket.writableLength;
      const isStalled = socket.writableLength > 0 && takenBytes === last.takenBytes;
      if (!isStalled) sockets.set(socket, { takenBytes, sinceMs: nowMs });
      else if (nowMs - last.sinceMs >= stalledMs) socket.destroy();
    }
  }, checkEveryMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
