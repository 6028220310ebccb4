/** From an origin to a connected socket: look the name up, vet every address, connect to the first that answers. */
import { connectFirst } from './connect-first.ts';
import {
  calledOff,
  type OpenAttempt,
  type OpenedSocket,
  type SocketOpener,
  type Target,
} from './socket-opening.ts';
import { startTls } from './start-tls.ts';
import { vetTarget } from './vetted-addresses.ts';

export type {
  OpenAttempt,
  OpenedSocket,
  ReachException,
  SocketOpener,
  Target,
} from './socket-opening.ts';

export async function openSocket(
  target: Target,
  opener: SocketOpener,
  attempt: OpenAttempt,
  session?: Buffer,
): Promise<OpenedSocket> {
  const vetted = await vetTarget(target, opener, attempt);
  if (vetted.kind === 'failed') return vetted;
  if (attempt.isCancelled) return calledOff();

  const connected = await connectFirst(vetted.addresses, target, opener.connectTimeoutMs, attempt);
  if (connected.kind === 'failed' || target.protocol === 'http:') return connected;
  return await startTls(connected, target, opener, attempt, session);
}
